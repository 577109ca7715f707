package dev.bluebell.cli.perf;

import dev.bluebell.hca.memory.Memory;
import dev.bluebell.verbs.Device;

/** An RDMA WRITE that the peer sees by looking at its memory, and answers with another. */
final class WriteRoundTrip extends RoundTrip {

  private final Device device;
  private final Flow there;
  private final Flow back;
  private final FlowPoller poller;
  private final Window thereWindow;
  private final Window backWindow;
  private final Stall stall = new Stall();

  WriteRoundTrip(
      Device device,
      Flow there,
      Flow back,
      Window thereWindow,
      Window backWindow,
      FlowPoller poller) {
    this.device = device;
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
    awaitData(thereWindow, trip);
    back.advance();
    awaitData(backWindow, trip);
  }

  private void awaitData(Window window, int slot) {
    long lastWord = window.address(slot + 1) - Long.BYTES;
    stall.restart();
    while (Memory.getLongAcquire(lastWord) == Payload.POISON_WORD) {
      stall.note(device.progress());
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
