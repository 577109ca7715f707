package dev.bluebell.cli.perf;

/** A message that the peer sees by its receive completion, and answers with another. */
final class MessageRoundTrip extends TwoWayTrip {
  MessageRoundTrip(Flow there, Flow back, FlowPoller poller) {
    super(there, back, poller);
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
}
