package dev.bluebell.verbs;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.command.PathMtu;
import java.nio.ByteBuffer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of a DC target with its key: whoever has it can use the target. Exchange it by any
 * means, as {@linkplain #bytes bytes} or as {@linkplain #toString text}.
 *
 * @param gid GID of its port
 * @param dctn its number, 24 bits
 * @param accessKey the key that requests must carry, 64 bits
 * @param mtu largest packet payload that it takes, in bytes: 256, 512, 1024, 2048 or 4096
 */
public record DcEndpoint(Gid gid, int dctn, long accessKey, int mtu) {
  /** Size of the binary form. */
  public static final int BYTES = 36;

  private static final int VERSION = 1;
  private static final int GID_BYTES = 16;
  private static final Pattern TEXT =
      Pattern.compile(
          "gid=([0-9a-f:]{39}) dctn=0x([0-9a-f]{6}) key=0x([0-9a-f]{16}) mtu=(\\d{3,4})");

  /** Checks the ranges. */
  public DcEndpoint {
    if (dctn >>> 24 != 0) {
      throw new IllegalArgumentException("dctn 0x%x must have 24 bits".formatted(dctn));
    }
    PathMtu.code(mtu);
  }

  /**
   * The binary form, big-endian: version, a zero byte, MTU (2 bytes), DCTN (4), 4 zero bytes,
   * access key (8), GID (16).
   */
  public byte[] bytes() {
    return ByteBuffer.allocate(BYTES)
        .put((byte) VERSION)
        .put((byte) 0)
        .putShort((short) mtu)
        .putInt(dctn)
        .putInt(0)
        .putLong(accessKey)
        .put(gid.bytes())
        .array();
  }

  /**
   * From the binary form.
   *
   * @throws IllegalArgumentException when the bytes are not one
   */
  public static DcEndpoint of(byte[] bytes) {
    if (bytes.length != BYTES || bytes[0] != VERSION) {
      throw new IllegalArgumentException(
          ("an endpoint of a DC target has %d bytes and version %d: both sides must run the same"
                  + " version of Bluebell, and one of a connection is another")
              .formatted(BYTES, VERSION));
    }
    ByteBuffer in = ByteBuffer.wrap(bytes, 2, BYTES - 2);
    int mtu = in.getShort() & 0xffff;
    int dctn = in.getInt();
    in.getInt();
    long accessKey = in.getLong();
    byte[] gid = new byte[GID_BYTES];
    in.get(gid);
    return new DcEndpoint(Gid.of(gid), dctn, accessKey, mtu);
  }

  /**
   * From the text that {@link #toString} gives.
   *
   * @throws IllegalArgumentException when the text is not one
   */
  public static DcEndpoint parse(String text) {
    Matcher matcher = TEXT.matcher(text.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "an endpoint of a DC target reads 'gid=… dctn=0x… key=0x… mtu=…', not '%s'"
              .formatted(text));
    }
    return new DcEndpoint(
        Gid.parse(matcher.group(1)),
        Integer.parseInt(matcher.group(2), 16),
        Long.parseUnsignedLong(matcher.group(3), 16),
        Integer.parseInt(matcher.group(4)));
  }

  @Override
  public String toString() {
    return "gid=%s dctn=0x%06x key=0x%016x mtu=%d".formatted(gid, dctn, accessKey, mtu);
  }
}
