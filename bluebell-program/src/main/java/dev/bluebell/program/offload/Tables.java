package dev.bluebell.program.offload;

import dev.bluebell.program.Data;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A processor's access to the data of a service, in its own memory or in that of another host. */
public interface Tables {

  /** The address of data. */
  long address(Data data);

  byte[] read(long address, int bytes);

  /** Reads bytes in several places, in parallel where that is faster. */
  byte[][] readAll(long[] addresses, int bytesEach);

  void write(long address, byte[] content);

  /**
   * Replaces a word, a little-endian number, if it equals the expected value.
   *
   * @return the original value
   */
  long compareAndSwap(long address, long expected, long desired);

  /** Replaces a word, a little-endian number; returns the original value. */
  long exchange(long address, long value);

  /** Adds to a word, modulo 2^64; returns the original value. */
  default long fetchAndAdd(long address, long addend) {
    return fetchAndAdd(address, addend, 0);
  }

  /**
   * Adds to the fields of a word.
   *
   * @param fieldEnds the highest bit of each field, which no carry leaves
   * @return the original value
   */
  long fetchAndAdd(long address, long addend, long fieldEnds);

  /** A pointer at an offset in bytes that were read or sent. */
  static long pointer(byte @Nullable [] bytes, int offset) {
    return ByteBuffer.wrap(Objects.requireNonNull(bytes)).getLong(offset);
  }

  /** A number of up to 8 bytes at an offset in bytes that were read or sent. */
  static long number(byte @Nullable [] bytes, int offset) {
    ByteBuffer word = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    int count = Math.min(Long.BYTES, Objects.requireNonNull(bytes).length - offset);
    return word.put(bytes, offset, count).getLong(0);
  }
}
