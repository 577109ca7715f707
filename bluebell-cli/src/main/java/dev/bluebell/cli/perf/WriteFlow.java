package dev.bluebell.cli.perf;

/** RDMA WRITEs. */
final class WriteFlow extends DataFlow {
  private final int rkey;

  WriteFlow(PerfPlan plan, int number, Requester requester, Payload payload, Window window) {
    super(plan, number, requester, null, payload, window);
    rkey = window.rkey();
  }

  @Override
  void post(int index, int count) {
    Requester requester = requester();
    for (int i = index; i < index + count; i++) {
      end(addPayload(requester.writes().write(slot(i), rkey)), i);
    }
  }
}
