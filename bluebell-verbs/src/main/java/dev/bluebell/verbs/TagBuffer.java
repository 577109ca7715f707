package dev.bluebell.verbs;

/** The stage that takes the memory for a tag's message. */
@CheckReturnValue
public interface TagBuffer {

  /**
   * Names registered memory, which receives the message without its 16-byte header.
   *
   * @param address address of the first byte, as registered
   * @param length bytes, at least 1
   * @param lkey {@link MemoryRegion#lkey()} of a region with {@link Access#LOCAL_WRITE}
   */
  TagEnd scatter(long address, int length, int lkey);

  /**
   * Names a range of a region, as {@link #scatter(long, int, int)}.
   *
   * @param region a region with {@link Access#LOCAL_WRITE}
   * @param offset offset of the first byte in the region
   * @param length bytes, at least 1
   * @throws IndexOutOfBoundsException when the range exceeds the region; the tag is dropped
   */
  TagEnd scatter(MemoryRegion region, long offset, int length);

  /** Accepts only messages that consist of their header. */
  TagEnd empty();
}
