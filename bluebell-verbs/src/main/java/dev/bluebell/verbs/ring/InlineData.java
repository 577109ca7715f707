package dev.bluebell.verbs.ring;

import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.InlineSegment;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Writes inline segments. The 4-byte header shifts the data against the ring's words; whole words
 * are composed all the same, because the device reads words.
 */
final class InlineData {
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final VarHandle ARRAY_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle ARRAY_INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final int HEADER = InlineSegment.HEADER_BYTES;

  private InlineData() {}

  /**
   * Writes a segment, padded with zeros to 8 bytes.
   *
   * @param at offset of the segment in the ring
   * @param length at least 1
   */
  static void write(long ring, int byteMask, int at, MemorySegment source, long from, int length) {
    long header = (long) InlineSegment.header(length) << 32;
    if (length < HEADER) {
      Memory.putLong(ring + at, header | tail(source, from, length) >>> 32);
      return;
    }
    Memory.putLong(ring + at, header | source.get(INT, from) & 0xffffffffL);
    int done = HEADER;
    for (; done <= length - Long.BYTES; done += Long.BYTES) {
      Memory.putLong(ring + (at + HEADER + done & byteMask), source.get(LONG, from + done));
    }
    if (done < length) {
      long last = tail(source, from + done, length - done);
      Memory.putLong(ring + (at + HEADER + done & byteMask), last);
    }
  }

  /** As {@link #write(long, int, int, MemorySegment, long, int)}. */
  static void write(long ring, int byteMask, int at, byte[] source, int from, int length) {
    long header = (long) InlineSegment.header(length) << 32;
    if (length < HEADER) {
      Memory.putLong(ring + at, header | tail(source, from, length) >>> 32);
      return;
    }
    Memory.putLong(ring + at, header | (int) ARRAY_INT.get(source, from) & 0xffffffffL);
    int done = HEADER;
    for (; done <= length - Long.BYTES; done += Long.BYTES) {
      long word = (long) ARRAY_LONG.get(source, from + done);
      Memory.putLong(ring + (at + HEADER + done & byteMask), word);
    }
    if (done < length) {
      long last = tail(source, from + done, length - done);
      Memory.putLong(ring + (at + HEADER + done & byteMask), last);
    }
  }

  /**
   * Adds bytes behind a segment's data.
   *
   * @param at offset of the first byte to write in the ring
   */
  static void append(long ring, int byteMask, int at, MemorySegment source, long from, int length) {
    for (int i = 0; i < length; i++) {
      byte value = source.get(ValueLayout.JAVA_BYTE, from + i);
      Memory.putByte(ring + (at + i & byteMask), value);
    }
  }

  /** As {@link #append(long, int, int, MemorySegment, long, int)}. */
  static void append(long ring, int byteMask, int at, byte[] source, int from, int length) {
    for (int i = 0; i < length; i++) {
      Memory.putByte(ring + (at + i & byteMask), source[from + i]);
    }
  }

  /** Up to 7 bytes at the top of a word, zeros behind them. */
  private static long tail(MemorySegment source, long from, int length) {
    long word = 0;
    int done = 0;
    if (length >= Integer.BYTES) {
      word = (long) source.get(INT, from) << 32;
      done = Integer.BYTES;
    }
    for (; done < length; done++) {
      word |= (source.get(ValueLayout.JAVA_BYTE, from + done) & 0xffL) << 56 - 8 * done;
    }
    return word;
  }

  private static long tail(byte[] source, int from, int length) {
    long word = 0;
    int done = 0;
    if (length >= Integer.BYTES) {
      word = (long) (int) ARRAY_INT.get(source, from) << 32;
      done = Integer.BYTES;
    }
    for (; done < length; done++) {
      word |= (source[from + done] & 0xffL) << 56 - 8 * done;
    }
    return word;
  }
}
