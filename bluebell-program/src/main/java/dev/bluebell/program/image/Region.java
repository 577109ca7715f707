package dev.bluebell.program.image;

import java.util.Set;

/**
 * Registered memory, with what is in it when the program starts.
 *
 * @param name unique in its image
 * @param owner whose device the keys belong to
 * @param address address of the first byte in the owner's memory
 * @param bytes content at the start; the region is as long as that
 * @param lkey names the region in data segments
 * @param rkey names it in remote address segments
 * @param rights what may be done by these keys
 */
public record Region(
    String name, Owner owner, long address, byte[] bytes, int lkey, int rkey, Set<Right> rights) {
  /** Whose memory it is. */
  public enum Owner {
    /** The program's, on the device that executes it. */
    PROGRAM,
    /** The client's: the program reaches it through queues whose peer is the client, by rkey. */
    CLIENT
  }

  /** Copies content and rights. */
  public Region {
    bytes = bytes.clone();
    rights = Set.copyOf(rights);
  }

  /** A copy of the content at the start. */
  @Override
  public byte[] bytes() {
    return bytes.clone();
  }

  /** Length in bytes. */
  public int length() {
    return bytes.length;
  }

  /** True when {@code length} bytes at {@code at} lie in the region. */
  public boolean contains(long at, long length) {
    long offset = at - address;
    return offset >= 0 && length >= 0 && offset <= bytes.length - length;
  }

  /** The same with another content of the same length. */
  public Region withBytes(byte[] content) {
    if (content.length != bytes.length) {
      throw new IllegalArgumentException(
          "%s has %d bytes, not %d".formatted(name, bytes.length, content.length));
    }
    return new Region(name, owner, address, content, lkey, rkey, rights);
  }

  @Override
  public String toString() {
    return "%s at 0x%x, %d bytes, lkey 0x%x, rkey 0x%x"
        .formatted(name, address, bytes.length, lkey, rkey);
  }
}
