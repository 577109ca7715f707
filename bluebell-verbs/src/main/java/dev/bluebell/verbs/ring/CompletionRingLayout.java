package dev.bluebell.verbs.ring;

import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.verbs.CqeCompression;

/**
 * The memory layout of a completion queue. The addresses must stay valid as long as the ring is
 * used, and are trusted.
 *
 * @param address of the ring; a multiple of 64
 * @param logEntries binary logarithm of the number of entries, 0 … 24
 * @param cqeBytes size of an entry: 64 or 128
 * @param cqn number of the completion queue, 24 bits
 * @param doorbellRecord address of the doorbell record
 * @param register address of the register for arm commands
 * @param compression how the device compresses entries
 * @param miniFormat mini_cqe_res_format of a queue with compression, see {@link Cqc}
 */
public record CompletionRingLayout(
    long address,
    int logEntries,
    int cqeBytes,
    int cqn,
    long doorbellRecord,
    long register,
    CqeCompression compression,
    int miniFormat) {
  private static final int MAX_LOG_ENTRIES = 24;

  private static final long INITIAL =
      Cqe.VALIDITY_ITERATION_COUNT.place(Cqe.ITERATION_INITIAL) | Cqe.OP_OWN_INITIAL;

  /** The layout of a queue without compression. */
  public CompletionRingLayout(
      long address, int logEntries, int cqeBytes, int cqn, long doorbellRecord, long register) {
    this(
        address,
        logEntries,
        cqeBytes,
        cqn,
        doorbellRecord,
        register,
        CqeCompression.NONE,
        Cqc.MINI_CQE_HASH);
  }

  /** A copy with compression, or with another format of it. */
  public CompletionRingLayout compressed(CqeCompression by, int format) {
    return new CompletionRingLayout(
        address, logEntries, cqeBytes, cqn, doorbellRecord, register, by, format);
  }

  /** Refuses values that would lead to accesses outside the ring. */
  public CompletionRingLayout {
    if (logEntries < 0 || logEntries > MAX_LOG_ENTRIES) {
      throw new IllegalArgumentException(
          "a completion ring has 2^0 to 2^24 entries, not 2^%d".formatted(logEntries));
    }
    if (cqeBytes != Cqe.BYTES && cqeBytes != Cqe.BYTES_128) {
      throw new IllegalArgumentException(
          "a completion queue entry has 64 or 128 bytes, not %d".formatted(cqeBytes));
    }
    if (address % Cqe.BYTES != 0) {
      throw new IllegalArgumentException("a completion ring starts at a multiple of 64");
    }
  }

  /**
   * Marks all entries of a ring as not written yet, for all compression layouts. Call it before a
   * device uses the ring.
   */
  public static void initialize(long address, int logEntries, int cqeBytes) {
    for (long i = 0; i < 1L << logEntries; i++) {
      long cqe = address + i * cqeBytes + cqeBytes - Cqe.BYTES;
      Memory.putLong(cqe + Cqe.LAST_WORD, INITIAL);
    }
  }
}
