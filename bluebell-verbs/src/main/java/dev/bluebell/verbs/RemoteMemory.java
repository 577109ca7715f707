package dev.bluebell.verbs;

import dev.bluebell.verbs.value.Limited;
import dev.bluebell.verbs.value.Unfinished;
import java.nio.ByteBuffer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A description of a peer's memory, for requests. Its owner sends it by any means, as {@linkplain
 * #bytes bytes} or as {@linkplain #toString text}. Any process that has it may do what the rights
 * of the region allow; it is neither secret nor authenticated.
 *
 * @param address address of the first byte, as the peer registered it
 * @param rkey key of the peer's region
 * @param length bytes, from 0
 */
public record RemoteMemory(long address, int rkey, long length) {
  /** Size of the binary form. */
  public static final int BYTES = 24;

  private static final int VERSION = 1;
  private static final Pattern TEXT =
      Pattern.compile("address=0x([0-9a-f]{1,16}) rkey=0x([0-9a-f]{8}) length=(\\d{1,19})");

  /** Checks the length. */
  public RemoteMemory {
    if (length < 0) {
      throw new IllegalArgumentException("memory can't have %d bytes".formatted(length));
    }
  }

  /**
   * A part of this memory. A request that names it can't be longer; requests that name an address
   * and a key, such as {@link WritingOperations#write(long, int)}, are limited only by the peer's
   * region.
   *
   * @param offset of its first byte
   * @param bytes its length
   * @throws IndexOutOfBoundsException when the part exceeds this memory
   */
  public RemoteMemory slice(long offset, long bytes) {
    if (offset < 0 || bytes < 0 || offset > length - bytes) {
      throw new IndexOutOfBoundsException(
          "%d bytes from offset %d are not all in the %d bytes of the remote memory %s"
              .formatted(bytes, offset, length, this));
    }
    return new RemoteMemory(address + offset, rkey, bytes);
  }

  /** The binary form, big-endian: version (4 bytes), key (4), address (8), length (8). */
  public byte[] bytes() {
    return ByteBuffer.allocate(BYTES)
        .putInt(VERSION)
        .putInt(rkey)
        .putLong(address)
        .putLong(length)
        .array();
  }

  /**
   * Decodes the binary form.
   *
   * @throws IllegalArgumentException when the bytes are invalid
   */
  public static RemoteMemory of(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    if (bytes.length != BYTES || in.getInt() != VERSION) {
      throw new IllegalArgumentException(
          ("remote memory has %d bytes and version %d: both sides must run the same version of"
                  + " Bluebell")
              .formatted(BYTES, VERSION));
    }
    int rkey = in.getInt();
    long address = in.getLong();
    return new RemoteMemory(address, rkey, in.getLong());
  }

  /**
   * Parses the text that {@link #toString} returns.
   *
   * @throws IllegalArgumentException when the text is invalid
   */
  public static RemoteMemory parse(String text) {
    Matcher matcher = TEXT.matcher(text.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'%s' is not remote memory, which has the form 'address=0x… rkey=0x… length=…'"
              .formatted(text));
    }
    return new RemoteMemory(
        Long.parseUnsignedLong(matcher.group(1), 16),
        Integer.parseUnsignedInt(matcher.group(2), 16),
        Long.parseLong(matcher.group(3)));
  }

  /**
   * Returns the address, for an operand at the start of this memory.
   *
   * @param operations queue pair or stage on which the operation starts; its unfinished request is
   *     dropped when the operand exceeds this memory
   */
  long addressOf(int needed, Object operations) {
    if (length < needed) {
      if (operations instanceof Unfinished request) {
        request.dropUnfinished();
      }
      throw new IndexOutOfBoundsException(
          "%d bytes are not all in the %d bytes of the remote memory %s"
              .formatted(needed, length, this));
    }
    return address;
  }

  /**
   * Limits the data of a request that starts at this memory.
   *
   * @param request stage that takes the data
   */
  <D> D limit(D request) {
    if (request instanceof Limited limited) {
      limited.limit(length);
    }
    return request;
  }

  @Override
  public String toString() {
    return "address=0x%x rkey=0x%08x length=%d".formatted(address, rkey, length);
  }
}
