package dev.bluebell.hca.wqe;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.hca.Gid;
import dev.bluebell.hca.Vectors;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Compares the address vector with those that libmlx5 wrote for RoCE. */
class AddressVectorTest {
  private static final int SERVICE_LEVEL_BITS = 7;

  private static ByteBuffer written(JsonNode vector) {
    byte[] first = Vectors.bytes(vector.get("wqebbs").get(0).get("bytes"));
    return ByteBuffer.wrap(first, ControlSegment.BYTES, AddressVector.BYTES).slice();
  }

  private static JsonNode route(JsonNode vector) {
    return vector.get("requests").get(0).get("ah").get("grh");
  }

  private static int number(JsonNode node, String name) {
    return (int) Vectors.number(node.get(name));
  }

  private static boolean isAccepted(JsonNode vector) {
    return vector.get("ret").asInt() == 0 && !vector.get("wqebbs").isEmpty();
  }

  private static byte[] gid(JsonNode route) {
    String text = route.get("dgid").asText();
    if (text.startsWith("::ffff:")) {
      String[] parts = text.substring(7).split("\\.");
      int address = 0;
      for (String part : parts) {
        address = address << 8 | Integer.parseInt(part);
      }
      return Gid.ofIpv4(address).bytes();
    }
    try {
      return InetAddress.getByName(text).getAddress();
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }

  @Test
  void packersMakeTheBytesThatLibmlx5Wrote() {
    Vectors.each("ud_eth", AddressVectorTest::isAccepted, AddressVectorTest::assertSameBytes);
  }

  private static void assertSameBytes(JsonNode vector) {
    ByteBuffer written = written(vector);
    JsonNode request = vector.get("requests").get(0);
    JsonNode ah = request.get("ah");
    JsonNode route = route(vector);
    long mac = HexFormat.fromHexDigitsToLong(ah.get("dmac_from_kernel").asText().replace(":", ""));
    // The port that libmlx5 derives from a flow label is not a field of the request.
    int port = (int) written.getLong(AddressVector.DESTINATION_WORD) & 0xffff;
    Gid gid = Gid.of(gid(route));
    ByteBuffer packed =
        ByteBuffer.allocate(AddressVector.BYTES)
            .putLong(AddressVector.keyWord(number(request, "remote_qkey")))
            .putLong(
                AddressVector.destinationWord(
                    number(request, "remote_qpn"),
                    (ah.get("sl").asInt() & SERVICE_LEVEL_BITS) << 1,
                    port))
            .putLong(AddressVector.rmacWord(mac))
            .putLong(
                AddressVector.routeWord(
                    mac,
                    number(route, "traffic_class"),
                    number(route, "hop_limit"),
                    number(route, "sgid_index"),
                    number(route, "flow_label")))
            .putLong(gid.high())
            .putLong(gid.low());
    byte[] expected = new byte[AddressVector.BYTES];
    written.get(0, expected);
    assertThat(HexFormat.of().formatHex(packed.array()))
        .isEqualTo(HexFormat.of().formatHex(expected));
  }

  @Test
  void accessorsReadWhatLibmlx5Wrote() {
    Vectors.each("ud_eth", AddressVectorTest::isAccepted, AddressVectorTest::assertSameFields);
  }

  private static void assertSameFields(JsonNode vector) {
    ByteBuffer written = written(vector);
    JsonNode request = vector.get("requests").get(0);
    JsonNode route = route(vector);
    long destination = written.getLong(AddressVector.DESTINATION_WORD);
    long way = written.getLong(AddressVector.ROUTE_WORD);
    assertThat(AddressVector.qkey(written.getLong(AddressVector.KEY_WORD)))
        .isEqualTo(number(request, "remote_qkey"));
    assertThat(AddressVector.isExtended(destination)).isTrue();
    assertThat(AddressVector.qpn(destination)).isEqualTo(number(request, "remote_qpn"));
    assertThat(AddressVector.trafficClass(way)).isEqualTo(number(route, "traffic_class"));
    assertThat(AddressVector.hopLimit(way)).isEqualTo(number(route, "hop_limit"));
    assertThat(AddressVector.sourceGidIndex(way)).isEqualTo(number(route, "sgid_index"));
    assertThat(AddressVector.flowLabel(way)).isEqualTo(number(route, "flow_label"));
    assertThat(
            new Gid(
                written.getLong(AddressVector.RGID_HIGH_WORD),
                written.getLong(AddressVector.RGID_LOW_WORD)))
        .isEqualTo(Gid.of(gid(route)));
  }

  @Test
  void argumentsAreMaskedToTheirFields() {
    assertThat(AddressVector.destinationWord(0x1000001, 0x10a, 0x1c000))
        .isEqualTo(0x80000001_0a00c000L);
    assertThat(AddressVector.routeWord(-1, 0x16a, 0x140, 0x1ff, 0x100001))
        .isEqualTo(0xffff6a40_0ff00001L);
    assertThat(AddressVector.rmacWord(-1)).isEqualTo(0xffffffffL);
    assertThat(AddressVector.isExtended(0)).isFalse();
  }
}
