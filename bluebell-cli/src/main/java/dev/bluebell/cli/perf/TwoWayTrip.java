package dev.bluebell.cli.perf;

/** A message there and one back, both of flows of this process. */
abstract class TwoWayTrip extends RoundTrip {
  final Flow there;
  final Flow back;
  final FlowPoller poller;

  TwoWayTrip(Flow there, Flow back, FlowPoller poller) {
    this.there = there;
    this.back = back;
    this.poller = poller;
  }

  @Override
  final void prepare(int trips, long first) {
    there.prepare(trips, first);
    back.prepare(trips, first + 1);
    poller.wake();
  }

  @Override
  final void settle(int trip) {
    poller.awaitCompleted(there, trip + 1);
    poller.awaitCompleted(back, trip + 1);
  }

  @Override
  final boolean verify() {
    return there.verify() && back.verify();
  }

  @Override
  final int ways() {
    return 2;
  }
}
