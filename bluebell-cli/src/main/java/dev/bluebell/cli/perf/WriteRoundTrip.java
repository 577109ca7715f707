package dev.bluebell.cli.perf;

import dev.bluebell.verbs.Device;

/** An RDMA WRITE that the peer sees by looking at its memory, and answers with another. */
final class WriteRoundTrip extends TwoWayTrip {
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
    super(there, back, poller);
    data = new DataWait(device, new Stall());
    this.thereWindow = thereWindow;
    this.backWindow = backWindow;
  }

  @Override
  void go(int trip) {
    there.advance();
    data.await(thereWindow, trip);
    back.advance();
    data.await(backWindow, trip);
  }
}
