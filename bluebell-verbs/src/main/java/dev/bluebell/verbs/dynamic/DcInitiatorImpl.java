package dev.bluebell.verbs.dynamic;

import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.DcInitiator;
import dev.bluebell.verbs.DcTargetAddress;
import dev.bluebell.verbs.ReliableOperations;
import dev.bluebell.verbs.RequestModifiers;
import dev.bluebell.verbs.command.LocalAddress;
import dev.bluebell.verbs.pair.CopyReport;
import dev.bluebell.verbs.pair.QueuePairParts;
import dev.bluebell.verbs.ring.CopyReportMemory;

/** Implements {@link DcInitiator}. */
public final class DcInitiatorImpl extends DcQueuePairImpl implements DcInitiator {
  /** Makes the queue pair of its parts and moves it to RTS. */
  public DcInitiatorImpl(
      QueuePairParts parts, LocalAddress address, ConnectOptions options, CopyReport report) {
    super(parts, address, options, report);
    start();
  }

  @Override
  public ReliableOperations target(DcTargetAddress target) {
    return send.to(((DcTargetAddressImpl) target).words());
  }

  @Override
  public RequestModifiers copyMemory(long from, int fromKey, long to, int toKey, int length) {
    CopyReportMemory reported = copyReport();
    return send.request().copyMemory(from, fromKey, to, toKey, length, reported);
  }
}
