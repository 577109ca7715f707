package dev.bluebell.softnic.queue;

import dev.bluebell.softnic.engine.Lookouts;

/**
 * The objects that WAITs, SEND_ENs and RECV_ENs of one device may name.
 *
 * @param queuePairs the queue pairs whose queues may be enabled
 * @param completionQueues the completion queues that a WAIT may name
 * @param values the waits for a value in memory or of the clock, which are polled
 */
public record CrossChannel(
    ObjectTable<? extends Manageable> queuePairs,
    ObjectTable<CompletionQueue> completionQueues,
    Lookouts values) {

  /** For a device without any. */
  public CrossChannel() {
    this(new ObjectTable<>(1, 2), new ObjectTable<>(1, 2), new Lookouts());
  }
}
