package dev.bluebell.cli.perf;

/** A message that the peer sees by its receive completion, and answers with another. */
final class MessageRoundTrip extends RoundTrip {
  private final Flow there;
  private final Flow back;
  private final FlowPoller poller;

  MessageRoundTrip(Flow there, Flow back, FlowPoller poller) {
    this.there = there;
    this.back = back;
    this.poller = poller;
  }

  @Override
  void prepare(int trips, long first) {
    there.prepare(trips, first);
    back.prepare(trips, first + 1);
    poller.wake();
  }

  @Override
  void go(int trip) {
    send(there, trip);
    poller.awaitReceived(there, trip + 1);
    send(back, trip);
    poller.awaitReceived(back, trip + 1);
  }

  /** Posts a message as soon as it may leave. */
  private void send(Flow flow, int trip) {
    flow.advance();
    while (flow.posted() <= trip) {
      poller.poll();
      flow.advance();
    }
  }

  @Override
  void settle(int trip) {
    poller.awaitCompleted(there, trip + 1);
    poller.awaitCompleted(back, trip + 1);
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
