package dev.bluebell.benchmarks;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.verbs.ring.CompletionRing;
import dev.bluebell.verbs.ring.CompletionRingLayout;
import dev.bluebell.verbs.ring.LocalMemory;
import dev.bluebell.verbs.ring.QueueTable;
import dev.bluebell.verbs.ring.SendRing;
import dev.bluebell.verbs.ring.SendRingLayout;
import dev.bluebell.verbs.ring.WorkQueues;
import java.lang.foreign.Arena;

/**
 * A send queue and its completion queue over plain memory, with the sizes of the libmlx5
 * measurement. No device reads them: completions are written by {@link #complete}.
 */
final class PlainQueues {
  private static final int QPN = 0x123456;
  private static final int CQN = 0x42;
  private static final int LOG_WQEBBS = 11;
  private static final int LOG_ENTRIES = 10;
  private static final int PAGE = 4096;
  private static final int RECORDS_AND_REGISTERS = 2 * PAGE;
  private static final int MAX_GATHER = 2;
  private static final int MAX_INLINE = 64;
  private static final int WRITTEN_BYTES = 64;

  final SendRing send;
  final CompletionRing completions;
  private final long entries;
  private final int userIndex;
  private int produced;

  PlainQueues() {
    long ring = allocate(64L << LOG_WQEBBS);
    long doorbells = allocate(RECORDS_AND_REGISTERS);
    entries = allocate((long) Cqe.BYTES << LOG_ENTRIES);
    send =
        new SendRing(
            SendRingLayout.of(
                ring,
                LOG_WQEBBS,
                QPN,
                doorbells,
                doorbells + PAGE,
                SendRingLayout.wqeBytes(MAX_GATHER, MAX_INLINE)));
    CompletionRingLayout.initialize(entries, LOG_ENTRIES, Cqe.BYTES);
    QueueTable table = new QueueTable();
    userIndex = table.reserve();
    table.set(userIndex, new WorkQueues(QPN, send, null));
    completions =
        new CompletionRing(
            new CompletionRingLayout(
                entries, LOG_ENTRIES, Cqe.BYTES, CQN, doorbells + 64, doorbells + PAGE + 32),
            table,
            new LocalMemory(),
            null);
  }

  /** Global, because the queues keep only addresses. */
  private static long allocate(long bytes) {
    return Arena.global().allocate(bytes, PAGE).address();
  }

  /** Writes the completion of the WRITE that starts at a WQEBB. */
  void complete(int wqeIndex) {
    long cqe = entries + (long) (produced & (1 << LOG_ENTRIES) - 1) * Cqe.BYTES;
    int owner = produced >>> LOG_ENTRIES;
    Memory.putLong(cqe + Cqe.UIDX_IMMEDIATE_WORD, Cqe.uidxImmediateWord(userIndex, 0));
    Memory.putLong(cqe + Cqe.BYTE_COUNT_WORD, WRITTEN_BYTES);
    Memory.putLong(cqe + Cqe.TIMESTAMP_WORD, produced);
    int opOwn = Cqe.opOwn(CqeOpcode.REQ, false, owner);
    Memory.putLongRelease(
        cqe + Cqe.LAST_WORD, Cqe.lastWord(WqeOpcode.RDMA_WRITE, QPN, wqeIndex & 0xffff, opOwn));
    produced++;
  }
}
