package dev.bluebell.verbs;

/** The stage in which a tag gets the memory for its message. */
@CheckReturnValue
public interface TagBuffer {

  /**
   * Names registered memory, to which the message goes without its 16-byte header.
   *
   * @param address address of the first byte, as registered
   * @param length bytes, at least 1
   * @param lkey {@link MemoryRegion#lkey()} of a region with {@link Access#LOCAL_WRITE}
   */
  TagEnd scatter(long address, int length, int lkey);

  /**
   * Names a range of a region, as {@link #scatter(long, int, int)}.
   *
   * @param region with {@link Access#LOCAL_WRITE}
   * @param offset of the first byte in the region
   * @param length bytes, at least 1
   * @throws IndexOutOfBoundsException when the range is not all in the region; the tag is dropped
   */
  TagEnd scatter(MemoryRegion region, long offset, int length);

  /** Takes messages of no more than their header. */
  TagEnd empty();
}
