package dev.bluebell.examples.queue;

import java.io.IOException;

/**
 * The end of a queue that sends. Messages have numbers from 0; what the consumer has taken, it
 * acknowledges, and takes no second time. Belongs to one thread.
 */
public interface Producer extends AutoCloseable {
  /** Messages that may be sent and not acknowledged: for so many the consumer has room. */
  int CREDITS = 64;

  /** Most bytes of a message. */
  int MAX_MESSAGE = 248;

  /**
   * Number of the next message: when a producer starts, of the first that the consumer does not
   * have.
   */
  long next();

  /** Sends a message, as soon as the consumer has room for it. */
  void send(byte[] message) throws IOException;

  /** Waits until all is acknowledged. */
  void flush() throws IOException;

  @Override
  void close() throws IOException;
}
