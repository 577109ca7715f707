package dev.bluebell.softnic.doorbell;

import dev.bluebell.softnic.queue.SendQueue;

/** The owner of a send queue that doorbells start. Called by the thread that runs the engine. */
public interface Ringable {

  /** The number by which doorbells name it, 24 bits. */
  int number();

  /** Number of the UAR page that its doorbells ring on. */
  int uarPage();

  SendQueue sendQueue();

  /**
   * Receive WQEs that its doorbell record counts and no message took; 0 without a queue of its own.
   */
  int receives();

  /** Why nothing of its send queue is executed now, whatever rings; empty when it is. */
  String whyDisabled();

  /** Gets to work: its send queue has new requests. */
  void wake();
}
