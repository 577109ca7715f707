package dev.bluebell.verbs;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.command.PathMtu;
import dev.bluebell.verbs.value.EndpointForm;
import dev.bluebell.verbs.value.Ranges;
import java.nio.ByteBuffer;
import java.util.regex.Matcher;

/**
 * The address and access key of a DC target, which allow any process to use it. Exchange it by any
 * means, as {@linkplain #bytes bytes} or as {@linkplain #toString text}.
 *
 * @param gid GID of its port
 * @param lid local identifier of its port on InfiniBand, 16 bits; 0 on Ethernet
 * @param dctn number of the target, 24 bits
 * @param accessKey the key that requests must carry, 64 bits
 * @param mtu its path MTU, which its initiators must use as well: 256, 512, 1024, 2048 or 4096
 *     bytes
 */
public record DcEndpoint(Gid gid, int lid, int dctn, long accessKey, int mtu) {
  /** Size of the binary form. */
  public static final int BYTES = 36;

  private static final EndpointForm FORM =
      new EndpointForm(
          "an endpoint of a DC target",
          BYTES,
          EndpointForm.PLACE + " dctn=0x([0-9a-f]{6}) key=0x([0-9a-f]{16}) mtu=(\\d{3,4})",
          EndpointForm.PLACE_HINT + " dctn=0x… key=0x… mtu=…");

  /** The endpoint of a target on Ethernet. */
  public DcEndpoint(Gid gid, int dctn, long accessKey, int mtu) {
    this(gid, 0, dctn, accessKey, mtu);
  }

  /** Checks the ranges. */
  public DcEndpoint {
    Ranges.require("lid", lid, 0, 0xffff);
    if (dctn >>> 24 != 0) {
      throw new IllegalArgumentException("dctn 0x%x must have 24 bits".formatted(dctn));
    }
    PathMtu.code(mtu);
  }

  /**
   * The binary form, big-endian: version, a zero byte, MTU (2 bytes), DCTN (4), 2 zero bytes, LID
   * (2), access key (8), GID (16).
   */
  public byte[] bytes() {
    return EndpointForm.end(FORM.begin(0, mtu, dctn).putInt(lid).putLong(accessKey), gid);
  }

  /**
   * Decodes the binary form.
   *
   * @throws IllegalArgumentException when the bytes are invalid
   */
  public static DcEndpoint of(byte[] bytes) {
    ByteBuffer in = FORM.open(bytes);
    in.get();
    int mtu = in.getShort() & 0xffff;
    int dctn = in.getInt();
    int lid = in.getInt();
    long accessKey = in.getLong();
    return new DcEndpoint(EndpointForm.gid(in), lid, dctn, accessKey, mtu);
  }

  /**
   * Parses the text that {@link #toString} returns.
   *
   * @throws IllegalArgumentException when the text is invalid
   */
  public static DcEndpoint parse(String text) {
    Matcher matcher = FORM.match(text);
    return new DcEndpoint(
        Gid.parse(matcher.group(1)),
        EndpointForm.lid(matcher),
        Integer.parseInt(matcher.group(3), 16),
        Long.parseUnsignedLong(matcher.group(4), 16),
        Integer.parseInt(matcher.group(5)));
  }

  @Override
  public String toString() {
    return "%s dctn=0x%06x key=0x%016x mtu=%d"
        .formatted(EndpointForm.place(gid, lid), dctn, accessKey, mtu);
  }
}
