package dev.bluebell.cli.perf;

/** A request that brings something back by itself: from posting to completion. */
final class RequestRoundTrip extends RoundTrip {
  private final Flow flow;
  private final FlowPoller poller;

  RequestRoundTrip(Flow flow, FlowPoller poller) {
    this.flow = flow;
    this.poller = poller;
  }

  @Override
  void prepare(int trips, long first) {
    flow.prepare(trips, first);
    poller.wake();
  }

  @Override
  void go(int trip) {
    flow.advance();
    poller.awaitCompleted(flow, trip + 1);
  }

  @Override
  void settle(int trip) {
    // The completion is what the trip waited for.
  }

  @Override
  boolean verify() {
    return flow.verify();
  }

  @Override
  int ways() {
    return 1;
  }
}
