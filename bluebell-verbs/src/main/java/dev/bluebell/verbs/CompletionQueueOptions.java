package dev.bluebell.verbs;

import dev.bluebell.hca.cqe.Cqe;
import org.jspecify.annotations.Nullable;

/**
 * Properties of a completion queue beside its size.
 *
 * @param completionVector which of the device's event queues serves it, from 0
 * @param cqeBytes size of an entry: 64 or 128
 * @param compression whether the device may write several completions as one entry, and how
 * @param miniCqeFormat what compressed completions of received messages say; null for the format of
 *     the device that can tell most: {@link MiniCqeFormat#CSUM_STRIDX} where it has that, otherwise
 *     {@link MiniCqeFormat#HASH}
 * @param ignoreOverrun whether the device goes on when the queue is full, over entries that nobody
 *     polled: for queues that only WAITs of the device look at ({@link
 *     CrossChannelOperations#waitFor}). Who polls one, and is not fast enough, misses completions
 *     and takes old ones for new.
 */
public record CompletionQueueOptions(
    int completionVector,
    int cqeBytes,
    CqeCompression compression,
    @Nullable MiniCqeFormat miniCqeFormat,
    boolean ignoreOverrun) {
  /** Vector 0, entries of 64 bytes, no compression, an error when it is full. */
  public static final CompletionQueueOptions DEFAULT =
      new CompletionQueueOptions(0, Cqe.BYTES, CqeCompression.NONE, null, false);

  /** Checks the values as far as they don't depend on the device. */
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

  /** The same with another completion vector. */
  public CompletionQueueOptions withCompletionVector(int vector) {
    return new CompletionQueueOptions(vector, cqeBytes, compression, miniCqeFormat, ignoreOverrun);
  }

  /** The same with entries of another size. */
  public CompletionQueueOptions withCqeBytes(int bytes) {
    return new CompletionQueueOptions(
        completionVector, bytes, compression, miniCqeFormat, ignoreOverrun);
  }

  /** The same with another compression. */
  public CompletionQueueOptions withCompression(CqeCompression layout) {
    return new CompletionQueueOptions(
        completionVector, cqeBytes, layout, miniCqeFormat, ignoreOverrun);
  }

  /** The same with another format of what is compressed. */
  public CompletionQueueOptions withMiniCqeFormat(MiniCqeFormat format) {
    return new CompletionQueueOptions(
        completionVector, cqeBytes, compression, format, ignoreOverrun);
  }

  /** The same with overrun ignored or not. */
  public CompletionQueueOptions withIgnoreOverrun(boolean on) {
    return new CompletionQueueOptions(completionVector, cqeBytes, compression, miniCqeFormat, on);
  }
}
