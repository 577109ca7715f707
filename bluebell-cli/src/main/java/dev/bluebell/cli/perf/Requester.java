package dev.bluebell.cli.perf;

import dev.bluebell.verbs.CopyOperations;
import dev.bluebell.verbs.KeyOperations;
import dev.bluebell.verbs.MessageOperations;
import dev.bluebell.verbs.OrderedQueuePair;
import dev.bluebell.verbs.ReliableOperations;
import dev.bluebell.verbs.RequestModifiers;
import dev.bluebell.verbs.WriteOperations;

/**
 * The sending half of an end: provides the operations for the next request to the peer.
 *
 * <p>There is one subclass per kind of connection, in {@link Ends}. A run of the command loads only
 * the one that it measures, so calls through it are as direct as calls of a queue pair.
 */
abstract class Requester {
  private final OrderedQueuePair queuePair;

  Requester(OrderedQueuePair queuePair) {
    this.queuePair = queuePair;
  }

  /** Operations that every kind supports. */
  abstract MessageOperations messages();

  /** Operations of kinds that support RDMA WRITEs. */
  WriteOperations writes() {
    return reliable();
  }

  /** Operations of reliable kinds only. */
  ReliableOperations reliable() {
    throw new UnsupportedOperationException("this kind of connection has no answers");
  }

  /** Memory copies on this side. */
  CopyOperations<RequestModifiers> copies() {
    throw new UnsupportedOperationException("this kind of connection makes no copies");
  }

  /** Operations on memory keys. */
  KeyOperations keys() {
    throw new UnsupportedOperationException("this kind of connection binds no windows here");
  }

  /** Starts a NOP, which only completes. */
  final RequestModifiers nop() {
    return queuePair.nop();
  }

  /** Rings the doorbell for all ended requests. */
  final void ringDoorbell() {
    queuePair.ringDoorbell();
  }
}
