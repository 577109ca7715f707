package dev.bluebell.verbs;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.command.PathMtu;
import dev.bluebell.verbs.value.EndpointForm;
import dev.bluebell.verbs.value.Ranges;
import java.nio.ByteBuffer;
import java.util.regex.Matcher;

/**
 * The address of a queue pair, which its peer needs to connect. Exchange it by any means, as
 * {@linkplain #bytes bytes} or as {@linkplain #toString text}.
 *
 * @param gid GID of its port
 * @param lid local identifier of its port on InfiniBand, 16 bits; 0 on Ethernet
 * @param qpn its number, 24 bits
 * @param psn sequence number of its first request packet, 24 bits
 * @param mtu largest packet payload that its port supports, in bytes: 256, 512, 1024, 2048 or 4096
 * @param responderResources maximum number of READs and atomics that it serves at a time, 0 … 255
 */
public record QueuePairEndpoint(
    Gid gid, int lid, int qpn, int psn, int mtu, int responderResources) {
  /** Size of the binary form. */
  public static final int BYTES = 32;

  private static final EndpointForm FORM =
      new EndpointForm(
          "an endpoint",
          BYTES,
          EndpointForm.PLACE
              + " qpn=0x([0-9a-f]{6}) psn=0x([0-9a-f]{6}) mtu=(\\d{3,4})"
              + " reads=(\\d{1,3})",
          EndpointForm.PLACE_HINT + " qpn=0x… psn=0x… mtu=… reads=…");

  /** The endpoint of a queue pair on Ethernet. */
  public QueuePairEndpoint(Gid gid, int qpn, int psn, int mtu, int responderResources) {
    this(gid, 0, qpn, psn, mtu, responderResources);
  }

  /** Checks the ranges. */
  public QueuePairEndpoint {
    Ranges.require("lid", lid, 0, 0xffff);
    if (qpn >>> 24 != 0 || psn >>> 24 != 0) {
      throw new IllegalArgumentException(
          "qpn 0x%x and psn 0x%x must have 24 bits".formatted(qpn, psn));
    }
    PathMtu.code(mtu);
    if (responderResources < 0 || responderResources > 255) {
      throw new IllegalArgumentException(
          "responder resources count from 0 to 255, not " + responderResources);
    }
  }

  /**
   * The binary form, big-endian: version, responder resources, MTU (2 bytes), QPN (4), PSN (4), 2
   * zero bytes, LID (2), GID (16).
   */
  public byte[] bytes() {
    return EndpointForm.end(FORM.begin(responderResources, mtu, qpn).putInt(psn).putInt(lid), gid);
  }

  /**
   * Decodes the binary form.
   *
   * @throws IllegalArgumentException when the bytes are invalid
   */
  public static QueuePairEndpoint of(byte[] bytes) {
    ByteBuffer in = FORM.open(bytes);
    int resources = in.get() & 0xff;
    int mtu = in.getShort() & 0xffff;
    int qpn = in.getInt();
    int psn = in.getInt();
    int lid = in.getInt();
    return new QueuePairEndpoint(EndpointForm.gid(in), lid, qpn, psn, mtu, resources);
  }

  /**
   * Parses the text that {@link #toString} returns.
   *
   * @throws IllegalArgumentException when the text is invalid
   */
  public static QueuePairEndpoint parse(String text) {
    Matcher matcher = FORM.match(text);
    return new QueuePairEndpoint(
        Gid.parse(matcher.group(1)),
        EndpointForm.lid(matcher),
        Integer.parseInt(matcher.group(3), 16),
        Integer.parseInt(matcher.group(4), 16),
        Integer.parseInt(matcher.group(5)),
        Integer.parseInt(matcher.group(6)));
  }

  @Override
  public String toString() {
    return "%s qpn=0x%06x psn=0x%06x mtu=%d reads=%d"
        .formatted(EndpointForm.place(gid, lid), qpn, psn, mtu, responderResources);
  }
}
