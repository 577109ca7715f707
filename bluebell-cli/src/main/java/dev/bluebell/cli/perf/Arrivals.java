package dev.bluebell.cli.perf;

import java.util.List;

/**
 * Traffic that another process sends to this one: a window for each flow, and receives for
 * operations that take them. All receives of a round are posted before it begins.
 */
final class Arrivals implements Traffic {
  private final LocalWindow[] windows;
  private final Receives[] receives;
  private final Payload payload;
  private final ReceivePoller poller;
  private final DataWait data;
  private final Stall stall;
  private final int most;
  private int messages;
  private long first;

  /**
   * Describes the arriving traffic.
   *
   * @param windows of the flows, by flow number; empty when messages do not arrive here
   * @param receives one for each window, or empty
   * @param poller polls for the receives
   * @param data waits for messages that take no receives
   * @param stall what to do while nothing arrives
   * @param most messages in a round, at most
   */
  Arrivals(
      List<LocalWindow> windows,
      List<Receives> receives,
      Payload payload,
      ReceivePoller poller,
      DataWait data,
      Stall stall,
      int most) {
    this.windows = windows.toArray(LocalWindow[]::new);
    this.receives = receives.toArray(Receives[]::new);
    this.payload = payload;
    this.poller = poller;
    this.data = data;
    this.stall = stall;
    this.most = most;
  }

  @Override
  public int window() {
    return most;
  }

  @Override
  public void prepare(int count, long firstSequence) {
    messages = count;
    first = firstSequence;
    for (int i = 0; i < windows.length; i++) {
      windows[i].poison();
    }
    for (int i = 0; i < receives.length; i++) {
      receives[i].prepare(share(i), first + i);
    }
  }

  private int share(int flow) {
    return FlowTraffic.share(messages, windows.length, flow);
  }

  /** Waits until all messages of the round that take receives have arrived. */
  @Override
  public void run() {
    stall.restart();
    for (Receives each : receives) {
      while (!each.isDone()) {
        stall.note(poller.poll());
      }
    }
  }

  /** Waits for a message of the first flow. */
  void await(int index) {
    if (receives.length == 0) {
      data.await(windows[0], index);
      return;
    }
    stall.restart();
    while (receives[0].received() <= index) {
      stall.note(poller.poll());
    }
  }

  @Override
  public boolean verify() {
    boolean good = true;
    for (Receives each : receives) {
      good &= each.isDone() && each.isGood();
    }
    for (int i = 0; i < windows.length; i++) {
      good &= windows[i].holds(payload, share(i), first + i);
    }
    return good;
  }
}
