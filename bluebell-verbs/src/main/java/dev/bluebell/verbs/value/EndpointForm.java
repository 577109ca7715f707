package dev.bluebell.verbs.value;

import dev.bluebell.hca.Gid;
import java.nio.ByteBuffer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The binary and text forms of an endpoint. In binary, big-endian, all kinds start with a version,
 * a byte specific to the kind, the MTU (2 bytes) and a number (4), and end with the GID (16). As
 * text, all start with the GID, and the LID if there is one.
 *
 * @param name of the endpoint, as messages name it
 * @param bytes size of the binary form
 * @param text pattern of the text form
 * @param hint which fields the text form has, as messages name them
 */
public record EndpointForm(String name, int bytes, Pattern text, String hint) {
  /**
   * The start of each text form: GID, which {@link Gid#parse} checks, and the LID on InfiniBand.
   */
  public static final String PLACE = "gid=([0-9a-f:.]+)(?: lid=0x([0-9a-f]{4}))?";

  public static final String PLACE_HINT = "gid=… [lid=0x…]";
  private static final int VERSION = 1;
  private static final int GID_BYTES = 16;

  public EndpointForm(String name, int bytes, String text, String hint) {
    this(name, bytes, Pattern.compile(text), hint);
  }

  /**
   * Starts the binary form; the fields of the kind follow, and then {@link #end}.
   *
   * @param own the byte that is specific to the kind
   */
  public ByteBuffer begin(int own, int mtu, int number) {
    return ByteBuffer.allocate(bytes)
        .put((byte) VERSION)
        .put((byte) own)
        .putShort((short) mtu)
        .putInt(number);
  }

  /** Ends the binary form. */
  public static byte[] end(ByteBuffer out, Gid gid) {
    return out.put(gid.bytes()).array();
  }

  /** Checks a binary form, and returns it positioned behind its version. */
  public ByteBuffer open(byte[] form) {
    if (form.length != bytes) {
      throw new IllegalArgumentException(
          "%s has %d bytes, not %d: an endpoint of another kind does not fit"
              .formatted(name, bytes, form.length));
    }
    if (form[0] != VERSION) {
      throw new IllegalArgumentException(
          "%s begins with its version %d, not %d: both sides must run the same version of Bluebell"
              .formatted(name, VERSION, form[0]));
    }
    return ByteBuffer.wrap(form, 1, bytes - 1);
  }

  /** Reads the GID, which ends the binary form. */
  public static Gid gid(ByteBuffer in) {
    byte[] gid = new byte[GID_BYTES];
    in.get(gid);
    return Gid.of(gid);
  }

  /** The start of a text form, which has a LID only on InfiniBand. */
  public static String place(Gid gid, int lid) {
    return lid == 0 ? "gid=" + gid : "gid=%s lid=0x%04x".formatted(gid, lid);
  }

  /** The LID in a text form; 0 without. */
  public static int lid(Matcher matcher) {
    String lid = matcher.group(2);
    return lid == null ? 0 : Integer.parseInt(lid, 16);
  }

  /** Parses a text form. */
  public Matcher match(String form) {
    Matcher matcher = text.matcher(form.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'%s' is not %s, which has the form '%s'".formatted(form, name, hint));
    }
    return matcher;
  }
}
