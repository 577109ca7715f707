package dev.bluebell.softnic.doorbell;

import dev.bluebell.softnic.queue.SendQueue;

/** The owner of a send queue that doorbells start. Called by the thread that runs the engine. */
public interface Ringable {

  /** The number that its doorbells contain, 24 bits. */
  int number();

  /** Number of the UAR page that its doorbells ring on. */
  int uarPage();

  SendQueue sendQueue();

  /** Receive WQEs that are posted and not consumed; 0 without a receive queue of its own. */
  int receives();

  /** Why its send queue is not executed now, even if rung; empty when it is. */
  String whyDisabled();

  /** Starts work: its send queue has new requests. */
  void wake();
}
