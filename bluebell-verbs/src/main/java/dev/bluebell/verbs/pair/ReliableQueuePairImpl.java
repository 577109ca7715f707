package dev.bluebell.verbs.pair;

import dev.bluebell.verbs.ReliableQueuePair;
import dev.bluebell.verbs.RequestModifiers;
import dev.bluebell.verbs.command.ConnectionSettings;
import dev.bluebell.verbs.ring.CopyReportMemory;

/** Implements {@link ReliableQueuePair}. */
public abstract class ReliableQueuePairImpl extends LendingQueuePairImpl
    implements ReliableQueuePair {
  private final CopyReport report;

  /**
   * Makes the queue pair of its parts and moves it to INIT.
   *
   * @param report closed with the queue pair
   */
  public ReliableQueuePairImpl(
      QueuePairParts parts, ConnectionSettings settings, CopyReport report) {
    super(parts, settings);
    this.report = report;
    start();
  }

  @Override
  public void start() {
    super.start();
    report.allow(states);
  }

  @Override
  public final RequestModifiers copyMemory(long from, int fromKey, long to, int toKey, int length) {
    CopyReportMemory reported = report.required(lifetime);
    return request().copyMemory(from, fromKey, to, toKey, length, reported);
  }

  @Override
  public synchronized void close() {
    super.close();
    report.close();
  }

  @Override
  public final synchronized void modifyMinRnrTimer(int code) {
    lifetime.requireOpen();
    connection.modifyMinRnrTimer(code);
  }
}
