package dev.bluebell.conformance.vectors;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.MiniCqe;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.verbs.CqeCompression;
import dev.bluebell.verbs.ring.LocalMemory;
import dev.bluebell.verbs.ring.SendRing;
import dev.bluebell.verbs.ring.SendRingLayout;
import dev.bluebell.verbs.ring.WorkQueues;
import java.nio.ByteBuffer;

/**
 * The driver's completion queue over compressed entries. Its queue pair is closed: the driver
 * expands and consumes the entries without returning them, so they need not belong to posted
 * requests.
 */
final class CompressedModel {
  private static final int CQN = 0x404;
  private static final int QPN = 0x0a1b01;

  /** User index of the recorded entries. */
  private static final int USER_INDEX = 0x123;

  private final int cqeBytes;
  private final int count;
  private final boolean enhanced;
  private final CompletionModel queue;
  private final Scratch sendMemory = Scratch.memory(Cqe.BYTES);
  private final Scratch sendRecord = Scratch.memory(DoorbellRecord.STRIDE);
  private final Scratch sendRegister = Scratch.register(512);

  /**
   * @param count slots of the ring
   * @param miniFormat mini_cqe_res_format
   * @param start number of completions consumed before
   */
  CompressedModel(int cqeBytes, int count, CqeCompression layout, int miniFormat, int start) {
    this.cqeBytes = cqeBytes;
    this.count = count;
    enhanced = layout == CqeCompression.ENHANCED;
    queue = new CompletionModel(cqeBytes, count, CQN, layout, miniFormat, new LocalMemory());
    SendRing sends =
        new SendRing(
            SendRingLayout.of(
                sendMemory.address(), 0, QPN, sendRecord.address(), sendRegister.address(), 64));
    queue.add(USER_INDEX, new WorkQueues(QPN, sends, null));
    queue.close(USER_INDEX);
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

  /** The part of an entry's index in its last word. */
  int generation(int index) {
    return enhanced
        ? MiniCqe.enhancedGeneration(index, logEntries())
        : MiniCqe.generation(index, logEntries());
  }

  /** Puts an entry into a slot. */
  void write(int slot, byte[] entry) {
    if (slot >= count) {
      throw new IllegalArgumentException("slot %d of a ring of %d entries".formatted(slot, count));
    }
    queue.write(slot, entry);
  }

  /** Consumes all available completions. */
  void poll() {
    if (queue.poll(completion -> {}, Integer.MAX_VALUE) != 0) {
      throw new IllegalArgumentException("a completion is of another queue pair");
    }
  }

  /** The consumer index in the doorbell record. */
  int consumerIndex() {
    return queue.consumerIndex();
  }

  /** The 64 bytes of the completion in the slot of an index. */
  byte[] entry(int index) {
    long end = (long) ((index & count - 1) + 1) * cqeBytes;
    return queue.bytes(end - Cqe.BYTES, Cqe.BYTES);
  }
}
