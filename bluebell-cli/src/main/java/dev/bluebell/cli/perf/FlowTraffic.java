package dev.bluebell.cli.perf;

import java.util.List;

/** Traffic of independent flows, driven by one thread. */
final class FlowTraffic implements Traffic {
  private final Flow[] flows;
  private final FlowPoller poller;
  private final int slots;
  private final Stall stall = new Stall();

  /**
   * Combines flows.
   *
   * @param slots messages of a round for which each flow has slots
   */
  FlowTraffic(List<Flow> flows, FlowPoller poller, int slots) {
    this.flows = flows.toArray(Flow[]::new);
    this.poller = poller;
    this.slots = slots;
  }

  @Override
  public int window() {
    return slots * flows.length;
  }

  @Override
  public void prepare(int messages, long first) {
    for (int i = 0; i < flows.length; i++) {
      // Shifted by one per flow, so that no two flows have the same message in the same slot.
      flows[i].prepare(share(messages, flows.length, i), first + i);
    }
    poller.wake();
  }

  /** Number of a round's messages that belong to one flow. */
  static int share(int messages, int flows, int flow) {
    int rest = messages % flows;
    return messages / flows + (flow < rest ? 1 : 0);
  }

  @Override
  public void run() {
    stall.restart();
    while (advance()) {
      stall.note(poller.poll());
    }
  }

  private boolean advance() {
    boolean pending = false;
    for (Flow flow : flows) {
      flow.advance();
      pending |= !flow.isDone();
    }
    return pending;
  }

  @Override
  public boolean verify() {
    boolean good = true;
    for (Flow flow : flows) {
      good &= flow.verify();
    }
    return good;
  }

  @Override
  public boolean copy() {
    boolean copied = true;
    for (Flow flow : flows) {
      copied &= flow.copy();
    }
    return copied;
  }
}
