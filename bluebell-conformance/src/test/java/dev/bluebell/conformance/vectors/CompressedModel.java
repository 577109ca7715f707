package dev.bluebell.conformance.vectors;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.MiniCqe;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.verbs.CqeCompression;
import dev.bluebell.verbs.ring.CompletionRing;
import dev.bluebell.verbs.ring.CompletionRingLayout;
import dev.bluebell.verbs.ring.LocalMemory;
import dev.bluebell.verbs.ring.QueueTable;
import dev.bluebell.verbs.ring.SendRing;
import dev.bluebell.verbs.ring.SendRingLayout;
import dev.bluebell.verbs.ring.WorkQueues;
import java.nio.ByteBuffer;

/**
 * The driver's completion queue over compressed entries. Its queue pair is closed: the driver makes
 * the entries whole, takes them, and shows them to nobody, so that they need not be those of
 * requests that were posted.
 */
final class CompressedModel {
  private static final int CQN = 0x404;
  private static final int QPN = 0x0a1b01;

  /** User index of the recorded entries. */
  private static final int USER_INDEX = 0x123;

  private static final int REGISTER_BYTES = 512;

  private final int cqeBytes;
  private final int count;
  private final boolean enhanced;
  private final Scratch entries;
  private final Scratch record = Scratch.memory(DoorbellRecord.STRIDE);
  private final Scratch register = Scratch.register(REGISTER_BYTES);
  private final Scratch sendMemory = Scratch.memory(Cqe.BYTES);
  private final Scratch sendRecord = Scratch.memory(DoorbellRecord.STRIDE);
  private final CompletionRing ring;

  /**
   * @param count slots of the ring
   * @param miniFormat mini_cqe_res_format
   * @param start completions that were taken before
   */
  CompressedModel(int cqeBytes, int count, CqeCompression layout, int miniFormat, int start) {
    this.cqeBytes = cqeBytes;
    this.count = count;
    enhanced = layout == CqeCompression.ENHANCED;
    entries = Scratch.memory(count * cqeBytes);
    record.write(0, new byte[DoorbellRecord.BYTES]);
    CompletionRingLayout.initialize(entries.address(), logEntries(), cqeBytes);
    QueueTable queues = new QueueTable();
    int index = queues.reserve();
    while (index < USER_INDEX) {
      index = queues.reserve();
    }
    SendRing sends =
        new SendRing(
            SendRingLayout.of(
                sendMemory.address(), 0, QPN, sendRecord.address(), register.address(), 64));
    queues.set(index, new WorkQueues(QPN, sends, null));
    ring =
        new CompletionRing(
            new CompletionRingLayout(
                    entries.address(),
                    logEntries(),
                    cqeBytes,
                    CQN,
                    record.address(),
                    register.address())
                .compressed(layout, miniFormat),
            queues,
            new LocalMemory(),
            null);
    queues.release(index, ring);
    for (int i = 0; i < start; i++) {
      write(i & count - 1, whole(i));
      poll();
    }
  }

  private int logEntries() {
    return Integer.numberOfTrailingZeros(count);
  }

  private byte[] whole(int index) {
    long last = Cqe.lastWord(0, QPN, index, generation(index));
    return ByteBuffer.allocate(cqeBytes)
        .putLong(cqeBytes - Cqe.BYTES + Cqe.UIDX_IMMEDIATE_WORD, Cqe.uidxImmediateWord(0x123, 0))
        .putLong(cqeBytes - Long.BYTES, last)
        .array();
  }

  /** What the last word of an entry has of its index. */
  int generation(int index) {
    return enhanced
        ? MiniCqe.enhancedGeneration(index, logEntries())
        : MiniCqe.generation(index, logEntries());
  }

  /** Puts an entry into a slot. */
  void write(int slot, byte[] entry) {
    if (entry.length != cqeBytes || slot >= count) {
      throw new IllegalArgumentException(
          "an entry of %d bytes in slot %d, of a ring of %d entries of %d bytes"
              .formatted(entry.length, slot, count, cqeBytes));
    }
    entries.write((long) slot * cqeBytes, entry);
  }

  /** Takes all completions that are there. */
  void poll() {
    if (ring.poll() != null) {
      throw new IllegalArgumentException("a completion is of another queue pair");
    }
  }

  /** The consumer index in the doorbell record. */
  int consumerIndex() {
    return record.integer(DoorbellRecord.CQ_SET_CI);
  }

  /** The 64 bytes of the completion in the slot of an index. */
  byte[] entry(int index) {
    long end = (long) ((index & count - 1) + 1) * cqeBytes;
    return entries.bytes(end - Cqe.BYTES, Cqe.BYTES);
  }
}
