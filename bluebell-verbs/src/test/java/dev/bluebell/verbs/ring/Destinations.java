package dev.bluebell.verbs.ring;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaPath;
import dev.bluebell.hca.wqe.AddressVector;
import dev.bluebell.verbs.PathOptions;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/** Destinations of requests in golden vectors. */
final class Destinations {
  /** The code of the only rate in the vectors, 25 Gb/s. */
  private static final int RATE_25 = 9;

  private Destinations() {}

  /** Where the operation of a request starts: behind its destination, if it names one. */
  static PlainRequest start(JsonNode request, SendRing send) {
    if (request.has("remote_srqn")) {
      return send.toSharedReceives(Vectors.integer(request.get("remote_srqn")));
    }
    if (request.has("stream_id")) {
      return send.to(dynamic(request)).on(Vectors.integer(request.get("stream_id")));
    }
    if (request.has("dctn")) {
      return send.to(dynamic(request));
    }
    return request.has("ah") ? send.to(datagram(request)) : send.request();
  }

  private static AddressWords datagram(JsonNode request) {
    return of(
        request.get("ah"),
        AddressVector.keyWord(Vectors.integer(request.get("remote_qkey"))),
        Vectors.integer(request.get("remote_qpn")));
  }

  private static AddressWords dynamic(JsonNode request) {
    return of(
        request.get("ah"),
        Vectors.number(request.get("dc_key")),
        Vectors.integer(request.get("dctn")));
  }

  private static AddressWords of(JsonNode handle, long key, int number) {
    return handle.get("link").asText().equals("IB")
        ? infiniBand(handle, key, number)
        : roce(handle, key, number);
  }

  private static AddressWords roce(JsonNode handle, long key, int number) {
    JsonNode route = handle.get("grh");
    String mac = handle.get("dmac_from_kernel").asText().replace(":", "");
    return AddressWords.roce(
        key,
        number,
        gid(route),
        new HcaPath(HexFormat.fromHexDigitsToLong(mac), 0, route.get("hop_limit").asInt(), 0),
        route.get("sgid_index").asInt(),
        new PathOptions(
            Vectors.integer(route.get("traffic_class")),
            handle.get("sl").asInt(),
            Vectors.integer(route.get("flow_label"))));
  }

  private static AddressWords infiniBand(JsonNode handle, long key, int number) {
    int rate = handle.get("static_rate").asText().equals("MAX(0)") ? 0 : RATE_25;
    int level = handle.get("sl").asInt();
    AddressWords local =
        AddressWords.infiniBand(
            key,
            number,
            Vectors.integer(handle.get("dlid")),
            handle.get("src_path_bits").asInt(),
            new PathOptions(0, level, 0));
    if (handle.get("is_global").asInt() == 0) {
      return atRate(rate, local);
    }
    JsonNode route = handle.get("grh");
    PathOptions options =
        new PathOptions(
            Vectors.integer(route.get("traffic_class")),
            level,
            Vectors.integer(route.get("flow_label")));
    return atRate(
        rate,
        local.global(
            gid(route), route.get("sgid_index").asInt(), route.get("hop_limit").asInt(), options));
  }

  /** The same with a static rate, which the driver leaves at that of the port. */
  private static AddressWords atRate(int rate, AddressWords words) {
    return new AddressWords(
        words.key(),
        words.destination() | AddressVector.STAT_RATE.place(rate),
        words.mac(),
        words.route(),
        words.gidHigh(),
        words.gidLow());
  }

  private static Gid gid(JsonNode route) {
    InetAddress address = InetAddress.ofLiteral(route.get("dgid").asText());
    return address instanceof Inet4Address
        ? Gid.ofIpv4(ByteBuffer.wrap(address.getAddress()).getInt())
        : Gid.of(address.getAddress());
  }
}
