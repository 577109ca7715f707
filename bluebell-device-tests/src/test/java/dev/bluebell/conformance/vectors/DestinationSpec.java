package dev.bluebell.conformance.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaPath;
import dev.bluebell.hca.wqe.AddressVector;
import dev.bluebell.verbs.PathOptions;
import dev.bluebell.verbs.ring.AddressWords;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Map;

/** The address handle of a request in the verbs' terms, as an address vector. */
final class DestinationSpec {
  /** Of RoCE v2; all handles have a flow label, which determines another one. */
  private static final int UNUSED_PORT = 0xffff;

  /** Codes of rates in the entry, by their names in the vectors. */
  private static final Map<String, Integer> RATES = Map.of("MAX(0)", 0, "IBV_RATE_25_GBPS", 9);

  private DestinationSpec() {}

  /** The destination of a datagram. */
  static AddressWords datagram(JsonNode request) {
    return of(
        Numbers.member(request, "ah"),
        AddressVector.keyWord(Numbers.integer(request, "remote_qkey")),
        Numbers.integer(request, "remote_qpn"));
  }

  /** The destination of a request of a dynamically connected initiator. */
  static AddressWords dynamic(JsonNode request) {
    return of(
        Numbers.member(request, "ah"),
        Numbers.number(request, "dc_key"),
        Numbers.integer(request, "dctn"));
  }

  private static AddressWords of(JsonNode handle, long key, int number) {
    String link = Numbers.member(handle, "link").asText();
    return switch (link) {
      case "Ethernet" -> roce(handle, key, number);
      case "IB" -> infiniBand(handle, key, number);
      default -> throw new UnsupportedVector("address handles of link " + link);
    };
  }

  private static AddressWords roce(JsonNode handle, long key, int number) {
    JsonNode route = Numbers.member(handle, "grh");
    String mac = Numbers.member(handle, "dmac_from_kernel").asText().replace(":", "");
    // RoCEv1 has no UDP port; for RoCEv2, libmlx5 derives it from the flow label.
    boolean udp = Numbers.member(handle, "gid_type").asText().equals("RoCEv2");
    HcaPath path =
        new HcaPath(
            HexFormat.fromHexDigitsToLong(mac),
            0,
            Numbers.integer(route, "hop_limit"),
            udp ? UNUSED_PORT : 0);
    PathOptions options =
        new PathOptions(
            Numbers.integer(route, "traffic_class"),
            Numbers.integer(handle, "sl"),
            Numbers.integer(route, "flow_label"));
    return AddressWords.roce(
        key, number, gid(route), path, Numbers.integer(route, "sgid_index"), options);
  }

  private static AddressWords infiniBand(JsonNode handle, long key, int number) {
    String rateName = Numbers.member(handle, "static_rate").asText();
    Integer rate = RATES.get(rateName);
    if (rate == null) {
      throw new UnsupportedVector("static rate " + rateName);
    }
    int level = Numbers.integer(handle, "sl");
    AddressWords local =
        AddressWords.infiniBand(
            key,
            number,
            Numbers.integer(handle, "dlid"),
            Numbers.integer(handle, "src_path_bits"),
            new PathOptions(0, level, 0));
    if (Numbers.integer(handle, "is_global") == 0) {
      return atRate(rate, local);
    }
    JsonNode route = Numbers.member(handle, "grh");
    PathOptions options =
        new PathOptions(
            Numbers.integer(route, "traffic_class"), level, Numbers.integer(route, "flow_label"));
    return atRate(
        rate,
        local.global(
            gid(route),
            Numbers.integer(route, "sgid_index"),
            Numbers.integer(route, "hop_limit"),
            options));
  }

  /** The same with a static rate; the driver always uses the port's. */
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
    InetAddress address = InetAddress.ofLiteral(Numbers.member(route, "dgid").asText());
    byte[] bytes = address.getAddress();
    return address instanceof Inet4Address
        ? Gid.ofIpv4(ByteBuffer.wrap(bytes).getInt())
        : Gid.of(bytes);
  }
}
