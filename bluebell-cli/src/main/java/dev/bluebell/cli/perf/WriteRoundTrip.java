package dev.bluebell.cli.perf;

import dev.bluebell.verbs.Device;

/** An RDMA WRITE that the peer sees by looking at its memory, and answers with another. */
final class WriteRoundTrip extends RoundTrip {
  private final Flow there;
  private final Flow back;
  private final FlowPoller poller;
  private final LocalWindow thereWindow;
  private final LocalWindow backWindow;
  private final DataWait data;

  WriteRoundTrip(
      Device device,
      Flow there,
      Flow back,
      LocalWindow thereWindow,
      LocalWindow backWindow,
      FlowPoller poller) {
    data = new DataWait(device, new Stall());
    this.there = there;
    this.back = back;
    this.poller = poller;
    this.thereWindow = thereWindow;
    this.backWindow = backWindow;
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
    data.await(thereWindow, trip);
    back.advance();
    data.await(backWindow, trip);
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
