package dev.bluebell.devx;

import dev.bluebell.hca.uverbs.Mlx5;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The card's clock, in a mapped page: two big-endian words; the high one counts the overflows of
 * the low one. Mirrors {@code mlx5 verbs.c: mlx5_read_clock}. Thread-safe.
 *
 * @param words the 8 bytes
 */
record ClockPage(MemorySegment words) {
  private static final VarHandle WORD =
      ValueLayout.JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN).varHandle();

  static ClockPage map(UverbsFile file, long clock) {
    MemorySegment page =
        file.map(
            "the clock",
            UverbsFile.offset(Mlx5.IB_MMAP_CORE_CLOCK, 0),
            UverbsFile.PAGE_BYTES,
            UverbsFile.PROT_READ);
    return new ClockPage(page.asSlice(clock & UverbsFile.PAGE_BYTES - 1, Long.BYTES));
  }

  long cycles() {
    while (true) {
      int high = (int) WORD.getVolatile(words, 0L);
      int low = (int) WORD.getVolatile(words, (long) Integer.BYTES);
      if (high == (int) WORD.getVolatile(words, 0L)) {
        return (long) high << 32 | low & 0xffffffffL;
      }
    }
  }
}
