package dev.bluebell.cli.perf;

import org.jspecify.annotations.Nullable;

/** RDMA WRITEs with their sequence number as immediate. */
final class WriteImmediateFlow extends DataFlow {
  private final int rkey;

  WriteImmediateFlow(
      PerfPlan plan,
      int number,
      Requester requester,
      @Nullable Receives receives,
      Payload payload,
      Window window) {
    super(plan, number, requester, receives, payload, window);
    rkey = window.rkey();
  }

  @Override
  void post(int index, int count) {
    Requester requester = requester();
    for (int i = index; i < index + count; i++) {
      end(addPayload(requester.writes().writeImmediate(slot(i), rkey, immediate(i))), i);
    }
  }
}
