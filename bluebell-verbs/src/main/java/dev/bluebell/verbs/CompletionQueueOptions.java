package dev.bluebell.verbs;

import dev.bluebell.hca.cqe.Cqe;

/**
 * Properties of a completion queue beside its size.
 *
 * @param completionVector which of the device's event queues serves it, from 0
 * @param cqeBytes size of an entry: 64 or 128
 * @param compression whether the device may write several completions as one entry, and how
 */
public record CompletionQueueOptions(
    int completionVector, int cqeBytes, CqeCompression compression) {
  /** Vector 0, entries of 64 bytes, no compression. */
  public static final CompletionQueueOptions DEFAULT =
      new CompletionQueueOptions(0, Cqe.BYTES, CqeCompression.NONE);

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
    return new CompletionQueueOptions(vector, cqeBytes, compression);
  }

  /** The same with entries of another size. */
  public CompletionQueueOptions withCqeBytes(int bytes) {
    return new CompletionQueueOptions(completionVector, bytes, compression);
  }

  /** The same with another compression. */
  public CompletionQueueOptions withCompression(CqeCompression layout) {
    return new CompletionQueueOptions(completionVector, cqeBytes, layout);
  }
}
