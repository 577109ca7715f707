package dev.bluebell.verbs;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The 16 bytes that a message to a {@link TagMatchingReceiveQueue} begins with. Mirrors {@code
 * tm_types.h: ibv_tmh}; numbers are big-endian.
 */
public final class TagHeader {
  /** Bytes of the header. */
  public static final int BYTES = 16;

  private static final byte NO_TAG = 0;
  private static final byte EAGER = 3;
  private static final int CONTEXT = 4;
  private static final int TAG = 8;
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private TagHeader() {}

  /**
   * Writes the header of a message whose data follow it.
   *
   * @param offset of the header in {@code message}, in bytes
   * @param tag compared with the tags of the receiver under their masks
   * @param context given to the receiver as {@link Completion#tagContext}
   */
  public static void eager(MemorySegment message, long offset, long tag, int context) {
    write(message, offset, EAGER, tag, context);
  }

  /** Writes the header of a message that goes to a receive request whatever tags there are. */
  public static void untagged(MemorySegment message, long offset) {
    write(message, offset, NO_TAG, 0, 0);
  }

  private static void write(
      MemorySegment message, long offset, byte operation, long tag, int context) {
    message.set(INT, offset, operation << 24);
    message.set(INT, offset + CONTEXT, context);
    message.set(LONG, offset + TAG, tag);
  }

  /** The tag of a message that came to a receive request. */
  public static long tag(MemorySegment message, long offset) {
    return message.get(LONG, offset + TAG);
  }

  /** What the sender gave beside the tag of a message that came to a receive request. */
  public static int context(MemorySegment message, long offset) {
    return message.get(INT, offset + CONTEXT);
  }
}
