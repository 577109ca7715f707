package dev.bluebell.softnic.queue;

import org.jspecify.annotations.Nullable;

/**
 * What the WAITs, SEND_ENs and RECV_ENs of one device may name.
 *
 * @param queuePairs those whose queues may be enabled
 * @param completionQueues those that may be waited for
 * @param values who waits for something else
 */
public record CrossChannel(
    ObjectTable<? extends Manageable> queuePairs,
    ObjectTable<CompletionQueue> completionQueues,
    ValueWaits values) {

  /** Of a device without any. */
  public CrossChannel() {
    this(new ObjectTable<>(1, 2), new ObjectTable<>(1, 2), new ValueWaits());
  }

  /** The queue pair with this number, any 32 bits; null when there is none. */
  public @Nullable Manageable queuePair(int qpn) {
    return queuePairs.find(qpn);
  }

  /** The completion queue with this number, any 32 bits; null when there is none. */
  public @Nullable CompletionQueue completionQueue(int cqn) {
    return completionQueues.find(cqn);
  }
}
