package dev.bluebell.program.image;

import java.util.Set;

/**
 * Registered memory, with its content when the program starts.
 *
 * @param name unique in its image
 * @param owner owner of the device that the keys belong to
 * @param address address of the first byte in the owner's memory
 * @param bytes initial content, as long as the region
 * @param lkey key for data segments; ignored for {@link Owner#UNREGISTERED}
 * @param rkey key for remote address segments; ignored for {@link Owner#UNREGISTERED}
 * @param rights rights of these keys
 */
public record Region(
    String name, Owner owner, long address, byte[] bytes, int lkey, int rkey, Set<Right> rights) {
  /** Owners of memory. */
  public enum Owner {
    /** The program's, on the device that executes it. */
    PROGRAM,
    /** The program's, without keys: no request can name it. */
    UNREGISTERED,
    /** The device's: the context and translation of a memory key that UMRs change. */
    KEY,
    /** The client's: the program accesses it by rkey, through queues whose peer is the client. */
    CLIENT
  }

  /** Copies content and rights. */
  public Region {
    bytes = bytes.clone();
    rights = Set.copyOf(rights);
  }

  /** A copy of the initial content. */
  @Override
  public byte[] bytes() {
    return bytes.clone();
  }

  /** Length in bytes. */
  public int length() {
    return bytes.length;
  }

  /** True when the region contains {@code length} bytes at {@code at}. */
  public boolean contains(long at, long length) {
    long offset = at - address;
    return offset >= 0 && length >= 0 && offset <= bytes.length - length;
  }

  /** A copy with other content of the same length. */
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
