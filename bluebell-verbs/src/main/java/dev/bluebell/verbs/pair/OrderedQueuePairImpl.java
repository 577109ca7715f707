package dev.bluebell.verbs.pair;

import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.verbs.OrderedQueuePair;
import dev.bluebell.verbs.RequestModifiers;
import java.lang.foreign.MemorySegment;

/** Implements {@link OrderedQueuePair}. */
public abstract class OrderedQueuePairImpl extends QueuePairImpl implements OrderedQueuePair {
  private final ServiceType service;

  /** Creates the queue pair from its parts. */
  public OrderedQueuePairImpl(QueuePairParts parts) {
    super(parts);
    service = parts.service();
  }

  @Override
  public RequestModifiers nop() {
    return send.nop();
  }

  @Override
  public RequestModifiers raw(MemorySegment entry) {
    return send.raw(service, entry);
  }
}
