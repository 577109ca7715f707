package dev.bluebell.conformance;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.ProtectionDomain;
import java.util.List;

/** The common setup of tests of a kind of queue pair: a domain and completion queues. */
class Setup {
  final Bench bench;
  final ProtectionDomain domain;

  /** The completion queue of requests. */
  final CompletionQueue sends;

  /** The completion queue of receives. */
  final CompletionQueue receives;

  Setup(Bench bench) {
    this.bench = bench;
    domain = bench.domain();
    sends = bench.device().createCompletionQueue(256);
    receives = bench.device().createCompletionQueue(256);
  }

  /** Registered memory with all rights. */
  final Buffer buffer(long bytes) {
    return new Buffer(domain.allocate(bytes, Access.rights()));
  }

  final List<Done> awaitSends(int count) {
    return bench.await(sends, count);
  }

  final Done awaitSend() {
    return awaitSends(1).getFirst();
  }

  final List<Done> awaitReceives(int count) {
    return bench.await(receives, count);
  }

  final Done awaitReceive() {
    return awaitReceives(1).getFirst();
  }
}
