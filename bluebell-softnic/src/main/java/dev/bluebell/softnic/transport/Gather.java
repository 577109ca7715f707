package dev.bluebell.softnic.transport;

import dev.bluebell.softnic.queue.DataSegments;
import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.Staging;
import dev.bluebell.softnic.translation.KeyTable;
import dev.bluebell.softnic.translation.MemoryKey;

/** Collects the payload of requests: the memory that a send WQE's data segments name. */
final class Gather {
  private final KeyTable keys;
  private final Staging staging;
  private final int pd;
  private final Fault fault;

  /**
   * @param fault where {@link #collect} says why it can't
   */
  Gather(QueuePair queuePair, Fault fault) {
    keys = queuePair.chip().keys();
    staging = queuePair.chip().staging();
    pd = queuePair.pd();
    this.fault = fault;
  }

  /**
   * Collects bytes {@code [skip, skip + bytes)} of the message whose data segments lie at {@code
   * [from, to)} into the request; false when a data segment refuses.
   */
  boolean collect(long from, long to, long skip, int bytes, Request request) {
    if (!DataSegments.collect(
        from, to, skip, bytes, keys, pd, MemoryKey.LOCAL_READ, request.payload, fault)) {
      return false;
    }
    if (request.payload.hasForeign() && !request.payload.fetch(staging.of(bytes), bytes)) {
      DataSegments.refuseUnreachable(request.payload, fault);
      return false;
    }
    request.payloadBytes = bytes;
    return true;
  }
}
