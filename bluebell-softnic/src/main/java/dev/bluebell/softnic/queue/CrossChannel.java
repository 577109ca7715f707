package dev.bluebell.softnic.queue;

/**
 * The objects that WAITs, SEND_ENs and RECV_ENs of one device may name.
 *
 * @param queuePairs the queue pairs whose queues may be enabled
 * @param completionQueues the completion queues that a WAIT may name
 * @param values the waits for a value or a time
 */
public record CrossChannel(
    ObjectTable<? extends Manageable> queuePairs,
    ObjectTable<CompletionQueue> completionQueues,
    ValueWaits values) {

  /** For a device without any. */
  public CrossChannel() {
    this(new ObjectTable<>(1, 2), new ObjectTable<>(1, 2), new ValueWaits());
  }
}
