package dev.bluebell.cli.perf;

import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.RcQueuePair;

/** Receives for RDMA WRITEs with immediate: no memory, and the sequence number as immediate. */
final class ImmediateReceives extends Receives {
  ImmediateReceives(RcQueuePair queuePair, int number, int size) {
    super(queuePair, number, size);
  }

  @Override
  void post(int index, long id) {
    queuePair().receive().empty().post(id);
  }

  @Override
  int difference(Completion completion, int expected) {
    return completion.hasImmediate() ? completion.immediate() ^ expected : 1;
  }
}
