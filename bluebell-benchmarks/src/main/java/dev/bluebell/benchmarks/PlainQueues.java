package dev.bluebell.benchmarks;

import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.MiniCqe;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.verbs.CqeCompression;
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
 * measurement. No device reads them: completions are written by {@link #complete}, at a device's
 * best compression: in sessions of 64, or in blocks of seven with a title at the start of each
 * round.
 */
final class PlainQueues {
  private static final int QPN = 0x123456;
  private static final int LOG_WQEBBS = 11;
  private static final int LOG_ENTRIES = 10;
  private static final int MASK = (1 << LOG_ENTRIES) - 1;
  private static final int PAGE = 4096;
  private static final int SESSION = 64;
  private static final int WRITTEN_BYTES = 64;

  final SendRing send;
  final CompletionRing completions;
  private final CqeCompression layout;
  private final long entries;
  private final int userIndex;
  private int produced;

  PlainQueues(CqeCompression layout) {
    this.layout = layout;
    long ring = allocate(64L << LOG_WQEBBS);
    long doorbells = allocate(2 * PAGE);
    entries = allocate((long) Cqe.BYTES << LOG_ENTRIES);
    send =
        new SendRing(
            SendRingLayout.of(
                ring,
                LOG_WQEBBS,
                QPN,
                doorbells,
                doorbells + PAGE,
                SendRingLayout.wqeBytes(2, 64)));
    CompletionRingLayout.initialize(entries, LOG_ENTRIES, Cqe.BYTES);
    QueueTable table = new QueueTable();
    userIndex = table.reserve();
    table.set(userIndex, new WorkQueues(QPN, send, null));
    completions =
        new CompletionRing(
            new CompletionRingLayout(
                    entries, LOG_ENTRIES, Cqe.BYTES, 0x42, doorbells + 64, doorbells + PAGE + 32)
                .compressed(layout, Cqc.MINI_CQE_HASH),
            table,
            new LocalMemory(),
            null);
  }

  /** Global, because the queues keep only addresses. */
  private static long allocate(long bytes) {
    return Arena.global().allocate(bytes, PAGE).address();
  }

  /** Writes the completions of WRITEs of one WQEBB each, starting at an index. */
  void complete(int wqeIndex, int count) {
    switch (layout) {
      case NONE -> {
        for (int i = 0; i < count; i++) {
          write(wqeIndex + i, WRITTEN_BYTES, 0);
        }
      }
      case BASIC -> {
        for (int done = 0; done < count; done += SESSION) {
          session(wqeIndex + done);
        }
      }
      case ENHANCED -> {
        int done = 0;
        while (done < count) {
          done += block(wqeIndex + done, count - done);
        }
      }
    }
  }

  private void session(int wqeIndex) {
    for (int i = 0; i < SESSION; i++) {
      int array = MiniCqe.arrayOffset(i / MiniCqe.IN_ARRAY);
      mini(slot(produced + array) + (long) i % MiniCqe.IN_ARRAY * MiniCqe.BYTES, wqeIndex + i);
    }
    write(wqeIndex, SESSION, (int) Cqe.FORMAT.place(Cqe.FORMAT_COMPRESSED));
    produced += SESSION - 1;
  }

  private int block(int wqeIndex, int left) {
    int room = 1 + MASK - (produced & MASK);
    if (room > MASK) {
      write(wqeIndex, WRITTEN_BYTES, 0);
      return 1;
    }
    int count = Math.min(MiniCqe.IN_BLOCK, Math.min(left, room));
    long slot = slot(produced);
    for (int i = 0; i < count; i++) {
      mini(slot + (long) i * MiniCqe.BYTES, wqeIndex + i);
    }
    int generation = MiniCqe.enhancedGeneration(produced, LOG_ENTRIES);
    Memory.putLongRelease(
        slot + Cqe.LAST_WORD, MiniCqe.blockWord(wqeIndex & 0xffff, count, generation));
    produced += count;
    return count;
  }

  private static void mini(long at, int wqeIndex) {
    Memory.putLong(at, MiniCqe.ofRequester(wqeIndex, WqeOpcode.RDMA_WRITE, WRITTEN_BYTES));
  }

  private long slot(int index) {
    return entries + (long) (index & MASK) * Cqe.BYTES;
  }

  private void write(int wqeIndex, int byteCount, int format) {
    long cqe = slot(produced);
    Memory.putLong(cqe + Cqe.UIDX_IMMEDIATE_WORD, Cqe.uidxImmediateWord(userIndex, 0));
    Memory.putLong(cqe + Cqe.BYTE_COUNT_WORD, byteCount);
    Memory.putLong(cqe + Cqe.TIMESTAMP_WORD, produced);
    int opOwn = Cqe.opOwn(CqeOpcode.REQ, false, 0) | format;
    int generation = MiniCqe.enhancedGeneration(produced, LOG_ENTRIES);
    Memory.putLongRelease(
        cqe + Cqe.LAST_WORD,
        Cqe.lastWord(WqeOpcode.RDMA_WRITE, QPN, wqeIndex & 0xffff, opOwn) | generation);
    produced++;
  }
}
