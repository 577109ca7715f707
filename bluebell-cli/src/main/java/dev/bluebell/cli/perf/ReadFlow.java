package dev.bluebell.cli.perf;

/** RDMA READs of the peer's payload. */
final class ReadFlow extends DataFlow {
  private final int lkey;
  private final int rkey;

  ReadFlow(PerfPlan plan, int number, Requester requester, Payload payload, LocalWindow window) {
    super(plan, number, requester, null, payload, window);
    lkey = window.region().lkey();
    rkey = payload.rkey();
  }

  @Override
  void post(int index, int count) {
    Requester requester = requester();
    for (int i = index; i < index + count; i++) {
      end(requester.reliable().read(nextPayload(), rkey).scatter(slot(i), size(), lkey), i);
    }
  }
}
