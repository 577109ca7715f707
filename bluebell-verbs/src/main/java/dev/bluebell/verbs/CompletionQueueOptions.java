package dev.bluebell.verbs;

import dev.bluebell.hca.cqe.Cqe;
import org.jspecify.annotations.Nullable;

/**
 * Options of a completion queue.
 *
 * @param completionVector index of the device's event queue that serves it, from 0
 * @param cqeBytes size of an entry: 64 or 128
 * @param compression whether the device may write several completions as one entry, and how
 * @param miniCqeFormat contents of compressed completions of received messages; null for the most
 *     detailed format of the device: {@link MiniCqeFormat#CSUM_STRIDX} if it has that, otherwise
 *     {@link MiniCqeFormat#HASH}
 * @param ignoreOverrun whether the device overwrites unpolled entries when the queue is full: for
 *     queues that only WAITs of the device use ({@link CrossChannelOperations#waitFor}). A thread
 *     that polls such a queue too slowly misses completions and mistakes old ones for new ones.
 */
public record CompletionQueueOptions(
    int completionVector,
    int cqeBytes,
    CqeCompression compression,
    @Nullable MiniCqeFormat miniCqeFormat,
    boolean ignoreOverrun) {
  /** Vector 0, entries of 64 bytes, no compression; overrun is an error. */
  public static final CompletionQueueOptions DEFAULT =
      new CompletionQueueOptions(0, Cqe.BYTES, CqeCompression.NONE, null, false);

  /** Checks the values that do not depend on the device. */
  public CompletionQueueOptions {
    if (completionVector < 0) {
      throw new IllegalArgumentException(
          "completion vectors count from 0, not " + completionVector);
    }
    if (cqeBytes != Cqe.BYTES && cqeBytes != Cqe.BYTES_128) {
      throw new IllegalArgumentException(
          "a completion queue entry has 64 or 128 bytes, not " + cqeBytes);
    }
  }

  /** A copy with another completion vector. */
  public CompletionQueueOptions withCompletionVector(int vector) {
    return new CompletionQueueOptions(vector, cqeBytes, compression, miniCqeFormat, ignoreOverrun);
  }

  /** A copy with entries of another size. */
  public CompletionQueueOptions withCqeBytes(int bytes) {
    return new CompletionQueueOptions(
        completionVector, bytes, compression, miniCqeFormat, ignoreOverrun);
  }

  /** A copy with another compression. */
  public CompletionQueueOptions withCompression(CqeCompression layout) {
    return new CompletionQueueOptions(
        completionVector, cqeBytes, layout, miniCqeFormat, ignoreOverrun);
  }

  /** A copy with another format of compressed completions. */
  public CompletionQueueOptions withMiniCqeFormat(MiniCqeFormat format) {
    return new CompletionQueueOptions(
        completionVector, cqeBytes, compression, format, ignoreOverrun);
  }

  /** A copy with overrun ignored or not. */
  public CompletionQueueOptions withIgnoreOverrun(boolean on) {
    return new CompletionQueueOptions(completionVector, cqeBytes, compression, miniCqeFormat, on);
  }
}
