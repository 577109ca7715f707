package dev.bluebell.program.offload;

import dev.bluebell.program.Data;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The data of a service, as a processor reaches it: in its memory, or in that of another host. */
public interface Tables {

  /** The address of data. */
  long address(Data data);

  /** Reads bytes. */
  byte[] read(long address, int bytes);

  /** Reads bytes in several places, at once where that is faster. */
  byte[][] readAll(long[] addresses, int bytesEach);

  /** Writes bytes. */
  void write(long address, byte[] content);

  /**
   * Sets a word, a number with the least byte first, if it is what is expected.
   *
   * @return what it was
   */
  long compareAndSwap(long address, long expected, long desired);

  /** Sets a word, a number with the least byte first; what it was. */
  long exchange(long address, long value);

  /** Adds to a word, modulo 2^64; what it was. */
  default long fetchAndAdd(long address, long addend) {
    return fetchAndAdd(address, addend, 0);
  }

  /**
   * Adds to the fields of a word.
   *
   * @param fieldEnds the highest bit of each field, which no carry leaves
   * @return what the word was
   */
  long fetchAndAdd(long address, long addend, long fieldEnds);

  /** A pointer among bytes that were read or sent. */
  static long pointer(byte @Nullable [] bytes, int offset) {
    return ByteBuffer.wrap(Objects.requireNonNull(bytes)).getLong(offset);
  }

  /** A number of up to 8 bytes that begins among bytes that were read or sent. */
  static long number(byte @Nullable [] bytes, int offset) {
    ByteBuffer word = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    int count = Math.min(Long.BYTES, Objects.requireNonNull(bytes).length - offset);
    return word.put(bytes, offset, count).getLong(0);
  }
}
