package dev.bluebell.verbs.dynamic;

import dev.bluebell.verbs.DcEndpoint;
import dev.bluebell.verbs.DcInitiator;
import dev.bluebell.verbs.DcTargetAddress;
import dev.bluebell.verbs.PathOptions;
import dev.bluebell.verbs.ReliableOperations;
import dev.bluebell.verbs.RequestModifiers;
import dev.bluebell.verbs.pair.CopyReport;
import dev.bluebell.verbs.pair.OrderedQueuePairImpl;
import dev.bluebell.verbs.pair.QueuePairParts;
import dev.bluebell.verbs.pair.StateMachine;
import dev.bluebell.verbs.ring.CopyReportMemory;

/** Implements {@link DcInitiator}. */
public final class DcInitiatorImpl extends OrderedQueuePairImpl implements DcInitiator {
  private final DcPath path;
  private final StateMachine states;
  private final CopyReport report;

  /**
   * Makes the queue pair of its parts and moves it to RTS.
   *
   * @param report closed with the queue pair
   */
  public DcInitiatorImpl(QueuePairParts parts, DcSettings settings, CopyReport report) {
    super(parts);
    this.report = report;
    states = parts.states();
    path = new DcPath(parts.device(), settings);
    start();
  }

  @Override
  public void start() {
    path.start(states, report);
  }

  @Override
  public ReliableOperations target(DcTargetAddress target) {
    return send.to(((DcTargetAddressImpl) target).words());
  }

  @Override
  public RequestModifiers copyMemory(long from, int fromKey, long to, int toKey, int length) {
    CopyReportMemory reported = report.required(lifetime);
    return send.request().copyMemory(from, fromKey, to, toKey, length, reported);
  }

  @Override
  public synchronized void close() {
    super.close();
    report.close();
  }

  @Override
  public DcTargetAddress targetAddress(DcEndpoint target) {
    return targetAddress(target, PathOptions.DEFAULT);
  }

  @Override
  public DcTargetAddress targetAddress(DcEndpoint target, PathOptions options) {
    lifetime.requireOpen();
    return path.to(target, options);
  }
}
