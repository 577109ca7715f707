package dev.bluebell.benchmarks;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.verbs.ring.CompletionRing;
import dev.bluebell.verbs.ring.CompletionRingLayout;
import dev.bluebell.verbs.ring.LocalMemory;
import dev.bluebell.verbs.ring.QueueTable;
import dev.bluebell.verbs.ring.ReceiveRing;
import dev.bluebell.verbs.ring.ReceiveRingLayout;
import dev.bluebell.verbs.ring.SendRing;
import dev.bluebell.verbs.ring.SendRingLayout;
import dev.bluebell.verbs.ring.WorkQueues;
import java.lang.foreign.Arena;

/**
 * Send and receive queues of several queue pairs that share a completion queue, over plain memory.
 * No device reads them: completions are written here, each of a different queue than the one
 * before.
 */
final class MixedQueues {
  private static final int QUEUE_PAIRS = 4;
  private static final int FIRST_QPN = 0x123456;
  private static final int CQN = 0x42;
  private static final int LOG_REQUESTS = 8;
  private static final int LOG_STRIDE = 4;
  private static final int LOG_ENTRIES = 10;
  private static final int PAGE = 4096;
  private static final int WQEBB = 64;

  final CompletionRing completions;
  private final SendRing[] sends = new SendRing[QUEUE_PAIRS];
  private final ReceiveRing[] receives = new ReceiveRing[QUEUE_PAIRS];
  private final int[] sent = new int[QUEUE_PAIRS];
  private final int[] received = new int[QUEUE_PAIRS];
  private final long entries = allocate((long) Cqe.BYTES << LOG_ENTRIES);
  private int produced;

  MixedQueues() {
    QueueTable table = new QueueTable();
    for (int i = 0; i < QUEUE_PAIRS; i++) {
      int qpn = FIRST_QPN + i;
      long doorbells = allocate(2 * PAGE);
      sends[i] =
          new SendRing(
              SendRingLayout.of(
                  allocate((long) WQEBB << LOG_REQUESTS),
                  LOG_REQUESTS,
                  qpn,
                  doorbells,
                  doorbells + PAGE,
                  WQEBB));
      receives[i] =
          new ReceiveRing(
              new ReceiveRingLayout(
                  allocate(1L << LOG_REQUESTS + LOG_STRIDE),
                  LOG_REQUESTS,
                  LOG_STRIDE,
                  qpn,
                  doorbells,
                  0));
      table.set(table.reserve(), new WorkQueues(qpn, sends[i], receives[i]));
    }
    CompletionRingLayout.initialize(entries, LOG_ENTRIES, Cqe.BYTES);
    long doorbells = allocate(2 * PAGE);
    completions =
        new CompletionRing(
            new CompletionRingLayout(
                entries, LOG_ENTRIES, Cqe.BYTES, CQN, doorbells, doorbells + PAGE),
            table,
            new LocalMemory(),
            null);
  }

  /** Global, because the queues keep only addresses. */
  private static long allocate(long bytes) {
    return Arena.global().allocate(bytes, PAGE).address();
  }

  /** Posts requests to all queues in turn, and completes them in this order. */
  void completeInTurn(int count) {
    for (int i = 0; i < count; i++) {
      int queuePair = i % QUEUE_PAIRS;
      if (i / QUEUE_PAIRS % 2 == 0) {
        sends[queuePair].request().write(0x100000, 0x5678).gather(0x200000, 64, 0x1234).signaled(i);
        sends[queuePair].ringDoorbell();
        write(CqeOpcode.REQ, WqeOpcode.RDMA_WRITE, queuePair, sent[queuePair]++);
      } else {
        receives[queuePair].receive().scatter(0x200000, 64, 0x1234).post(i);
        receives[queuePair].ringDoorbell();
        write(CqeOpcode.RESP_SEND, 0, queuePair, received[queuePair]++);
      }
    }
  }

  private void write(int opcode, int sendOpcode, int queuePair, int counter) {
    long cqe = entries + (long) (produced & (1 << LOG_ENTRIES) - 1) * Cqe.BYTES;
    int opOwn = Cqe.opOwn(opcode, false, produced >>> LOG_ENTRIES);
    Memory.putLong(cqe + Cqe.UIDX_IMMEDIATE_WORD, Cqe.uidxImmediateWord(queuePair, 0));
    Memory.putLong(cqe + Cqe.BYTE_COUNT_WORD, 64);
    Memory.putLong(cqe + Cqe.TIMESTAMP_WORD, produced);
    Memory.putLongRelease(
        cqe + Cqe.LAST_WORD,
        Cqe.lastWord(sendOpcode, FIRST_QPN + queuePair, counter & 0xffff, opOwn));
    produced++;
  }
}
