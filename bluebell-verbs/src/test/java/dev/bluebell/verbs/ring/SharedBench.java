package dev.bluebell.verbs.ring;

import dev.bluebell.hca.cqe.CqeOpcode;

/**
 * A shared receive queue in memory, a queue pair that receives from it, and a completion queue into
 * which a test writes completions by hand.
 */
final class SharedBench {
  static final int QPN = 0x4321;
  final SendBench bench = SendBench.ofSixteen();
  final TestMemory memory;
  final TestMemory record = new TestMemory(64);
  final SharedReceiveRing receive;
  final int userIndex;

  SharedBench(int logEntries, int logStride) {
    memory = new TestMemory(1 << logEntries + logStride);
    receive =
        new SharedReceiveRing(
            new SharedReceiveRingLayout(
                memory.address(), logEntries, logStride, record.address(), "SRQ 0x5"));
    userIndex = bench.queues.reserve();
    bench.queues.set(userIndex, new WorkQueues(QPN, bench.send, receive));
  }

  /** The device completes the request of an entry. */
  void complete(int entry) {
    bench.write(CqeOpcode.RESP_SEND, 0, QPN, userIndex, entry, 0);
  }

  /** The entry that the links in memory name behind one. */
  int linkOf(int entry, int stride) {
    return Integer.parseUnsignedInt(memory.hex((long) entry * stride + 2, 2), 16);
  }
}
