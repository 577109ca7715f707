package dev.bluebell.cli.perf;

import dev.bluebell.verbs.CopyOperations;
import dev.bluebell.verbs.KeyOperations;
import dev.bluebell.verbs.MessageOperations;
import dev.bluebell.verbs.OrderedQueuePair;
import dev.bluebell.verbs.ReliableOperations;
import dev.bluebell.verbs.RequestModifiers;
import dev.bluebell.verbs.WriteOperations;

/**
 * The sending half of an end: gives the operations that the next request to the peer may be of.
 *
 * <p>One subclass per kind of connections, in {@link Ends}. A run of the command loads the one that
 * it measures, so that calls of it are as direct as calls of a queue pair.
 */
abstract class Requester {
  private final OrderedQueuePair queuePair;

  Requester(OrderedQueuePair queuePair) {
    this.queuePair = queuePair;
  }

  /** Operations of every kind. */
  abstract MessageOperations messages();

  /** Operations of kinds with RDMA WRITEs. */
  WriteOperations writes() {
    return reliable();
  }

  /** Operations of reliable kinds. */
  ReliableOperations reliable() {
    throw new UnsupportedOperationException("this kind of connection has no answers");
  }

  /** Copies from memory to memory of this side. */
  CopyOperations<RequestModifiers> copies() {
    throw new UnsupportedOperationException("this kind of connection makes no copies");
  }

  /** Operations on memory keys, of connections. */
  KeyOperations keys() {
    throw new UnsupportedOperationException("this kind of connection binds no windows here");
  }

  /** Starts a request that does nothing but complete. */
  final RequestModifiers nop() {
    return queuePair.nop();
  }

  /** Makes the device see all requests that ended. */
  final void ringDoorbell() {
    queuePair.ringDoorbell();
  }
}
