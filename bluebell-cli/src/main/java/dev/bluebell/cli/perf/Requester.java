package dev.bluebell.cli.perf;

import dev.bluebell.verbs.MessageOperations;
import dev.bluebell.verbs.ReliableOperations;
import dev.bluebell.verbs.RequestModifiers;
import dev.bluebell.verbs.WriteOperations;

/**
 * The sending half of an end: gives the operations that the next request to the peer may be of.
 *
 * <p>One subclass per kind of connections. A run of the command loads the one that it measures, so
 * that calls of it are as direct as calls of a queue pair.
 */
abstract class Requester {

  /** Operations of every kind. */
  abstract MessageOperations messages();

  /** Operations of kinds with RDMA WRITEs. */
  WriteOperations writes() {
    throw new UnsupportedOperationException("this kind of connection has no RDMA WRITE");
  }

  /** Operations of reliable kinds. */
  ReliableOperations reliable() {
    throw new UnsupportedOperationException("this kind of connection has no answers");
  }

  /** Starts a request that does nothing but complete. */
  abstract RequestModifiers nop();

  /** Makes the device see all requests that ended. */
  abstract void ringDoorbell();
}
