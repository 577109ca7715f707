package dev.bluebell.cli.perf;

/** A message to another process, which answers with another. */
final class PeerTrip extends RoundTrip {
  private final Flow there;
  private final FlowPoller poller;
  private final Arrivals back;

  PeerTrip(Flow there, FlowPoller poller, Arrivals back) {
    this.there = there;
    this.poller = poller;
    this.back = back;
  }

  @Override
  void prepare(int trips, long first) {
    there.prepare(trips, first);
    back.prepare(trips, first + 1);
    poller.wake();
  }

  @Override
  void go(int trip) {
    there.advance();
    back.await(trip);
  }

  @Override
  void settle(int trip) {
    poller.awaitCompleted(there, trip + 1);
  }

  @Override
  boolean verify() {
    return there.verify() && back.verify();
  }

  @Override
  int ways() {
    return 2;
  }
}
