package dev.bluebell.verbs.ring;

import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.InlineSegment;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Writes inline segments. The 4-byte header shifts the data relative to the ring's words; data is
 * nevertheless written in whole words, because the device reads words.
 */
final class InlineData {
  private static final ValueLayout.OfLong NATIVE_LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final VarHandle ARRAY_NATIVE_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final VarHandle ARRAY_INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final int HEADER = InlineSegment.HEADER_BYTES;

  private InlineData() {}

  /**
   * Writes a segment.
   *
   * @param at offset of the segment in the ring
   * @param length at least 1
   */
  static void write(long ring, int byteMask, int at, MemorySegment source, long from, int length) {
    long to = ring + at & AddressBits.ALIGNED_8;
    if (length < HEADER || crosses(byteMask, at, length)) {
      Memory.putInt(to, InlineSegment.header(length));
      append(ring, byteMask, at + HEADER, source, from, length);
      return;
    }
    long header = (long) InlineSegment.header(length) << 32;
    Memory.putLong(to, header | source.get(INT, from) & 0xffffffffL);
    int done = HEADER;
    for (; done <= length - Long.BYTES; done += Long.BYTES) {
      Memory.putNativeLong(to + HEADER + done, source.get(NATIVE_LONG, from + done));
    }
    if (done < length) {
      Memory.putLong(to + HEADER + done, tail(source, from + done, length - done));
    }
  }

  /** As {@link #write(long, int, int, MemorySegment, long, int)}. */
  static void write(long ring, int byteMask, int at, byte[] source, int from, int length) {
    long to = ring + at & AddressBits.ALIGNED_8;
    if (length < HEADER || crosses(byteMask, at, length)) {
      Memory.putInt(to, InlineSegment.header(length));
      append(ring, byteMask, at + HEADER, source, from, length);
      return;
    }
    long header = (long) InlineSegment.header(length) << 32;
    Memory.putLong(to, header | (int) ARRAY_INT.get(source, from) & 0xffffffffL);
    int done = HEADER;
    for (; done <= length - Long.BYTES; done += Long.BYTES) {
      Memory.putNativeLong(to + HEADER + done, (long) ARRAY_NATIVE_LONG.get(source, from + done));
    }
    if (done < length) {
      Memory.putLong(to + HEADER + done, tail(source, from + done, length - done));
    }
  }

  /**
   * True when a segment crosses the end of the ring. No sum with the length, which can overflow.
   */
  private static boolean crosses(int byteMask, int at, int length) {
    return length > byteMask + 1 - HEADER - at;
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
