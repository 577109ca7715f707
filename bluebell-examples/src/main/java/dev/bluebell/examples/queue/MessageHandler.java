package dev.bluebell.examples.queue;

import java.io.IOException;
import java.nio.ByteBuffer;

/** What a consumer does with messages. */
@FunctionalInterface
public interface MessageHandler {

  /**
   * Takes a message. When this returns, it is acknowledged; a consumer that starts again must know
   * by then that it has it.
   *
   * @param number one more than that of the message before
   * @param message valid during the call
   */
  void take(long number, ByteBuffer message) throws IOException;
}
