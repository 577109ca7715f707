package dev.bluebell.verbs.ring;

import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.ControlSegment;

/**
 * Signs the requests of a send queue: byte 8 of each is the complement of the exclusive or of all
 * its bytes, itself counted as 0. Mirrors {@code wr.c: wq_sig} of Linux.
 *
 * <p>Requests are signed just before the doorbell: they are complete then, and the device has not
 * read them yet. Belongs to the thread that posts.
 */
public final class SendSignatures {
  private static final int INDEX_MASK = 0xffff;
  private static final int UNITS_PER_BLOCK = ControlSegment.WQEBB_BYTES / ControlSegment.BYTES;
  private static final long SIGNATURE_BITS = ControlSegment.SIGNATURE.place(-1);
  private final SendRing ring;

  /** Index behind the request that was signed last. */
  private int signed;

  /** Signs for an empty ring. */
  public SendSignatures(SendRing ring) {
    this.ring = ring;
    signed = ring.producerIndex();
  }

  /** Signs all requests that ended since the last call. */
  public void sign() {
    int end = ring.producerIndex();
    while (signed != end) {
      sign(signed);
      // The size of fill is negative.
      int size = Math.abs(PostedRequests.size(ring.slot(signed)));
      signed = signed + size & INDEX_MASK;
    }
  }

  private void sign(int index) {
    long control = ring.wqebb(index);
    long second = Memory.getLong(control + Long.BYTES) & ~SIGNATURE_BITS;
    long sum = Memory.getLong(control) ^ second;
    int ds = ControlSegment.ds(Memory.getLong(control));
    for (int unit = 1; unit < ds; unit++) {
      long at =
          ring.wqebb(index + unit / UNITS_PER_BLOCK)
              + (long) (unit % UNITS_PER_BLOCK) * ControlSegment.BYTES;
      sum ^= Memory.getLong(at) ^ Memory.getLong(at + Long.BYTES);
    }
    Memory.putLong(
        control + Long.BYTES, second | ControlSegment.SIGNATURE.place(~foldToByte(sum) & 0xff));
  }

  /** The exclusive or of the bytes of a word, in its low byte. */
  static long foldToByte(long word) {
    long folded = word ^ word >>> 32;
    folded ^= folded >>> 16;
    return folded ^ folded >>> 8;
  }

  /** Starts at index 0, as its ring does after a reset. */
  public void reset() {
    signed = 0;
  }
}
