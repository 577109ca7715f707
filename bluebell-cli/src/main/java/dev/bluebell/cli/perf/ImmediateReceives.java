package dev.bluebell.cli.perf;

import dev.bluebell.verbs.Completion;

/**
 * Receives for RDMA WRITEs with immediate: without memory; the immediate is the sequence number.
 */
final class ImmediateReceives extends Receives {
  ImmediateReceives(ReceiveQueue queue, int number, int size) {
    super(queue, number, size);
  }

  @Override
  void post(int index, long id) {
    queue().receive().empty().post(id);
  }

  @Override
  int difference(Completion completion, int expected) {
    return completion.hasImmediate() ? completion.immediate() ^ expected : 1;
  }
}
