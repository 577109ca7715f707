package dev.bluebell.examples.queue;

import java.io.IOException;

/**
 * The sending end of a queue. Messages are numbered from 0; the consumer acknowledges each message
 * that it takes, and takes each only once. Belongs to one thread.
 */
public interface Producer extends AutoCloseable {
  /** Maximum number of unacknowledged messages, for which the consumer has room. */
  int CREDITS = 64;

  /** Most bytes of a message. */
  int MAX_MESSAGE = 248;

  /**
   * Number of the next message; for a new producer, that of the first message that the consumer
   * does not have.
   */
  long next();

  /** Sends a message, as soon as the consumer has room for it. */
  void send(byte[] message) throws IOException;

  /** Waits until all messages are acknowledged. */
  void flush() throws IOException;

  /**
   * Refuses a consumer that has lost messages, or has some that were never sent.
   *
   * @param expected the first message that the consumer does not have
   * @param acknowledged the first message that was not acknowledged
   * @param next the next message
   */
  static void check(long expected, long acknowledged, long next) {
    if (expected < acknowledged || expected > next) {
      throw new IllegalStateException(
          "the consumer expects message %d, but this producer can continue only with %d to %d"
              .formatted(expected, acknowledged, next));
    }
  }

  @Override
  void close() throws IOException;
}
