package dev.bluebell.examples.queue;

import java.nio.ByteBuffer;

/** Handles the messages of a consumer. */
@FunctionalInterface
public interface MessageHandler {

  /**
   * Takes a message, which is acknowledged when this method returns. By then, the message must be
   * stored such that a restarted consumer finds it.
   *
   * @param number one more than the number of the message before
   * @param message valid during the call
   */
  void take(long number, ByteBuffer message);
}
