package dev.bluebell.cli.perf;

/** What a server does in round trips: it answers each message with another. */
final class AnswerTraffic implements Traffic {
  private final Arrivals there;
  private final Flow back;
  private final FlowPoller poller;
  private final int slots;
  private long sequence;
  private int count;

  AnswerTraffic(Arrivals there, Flow back, FlowPoller poller, int slots) {
    this.there = there;
    this.back = back;
    this.poller = poller;
    this.slots = slots;
  }

  @Override
  public int window() {
    return slots;
  }

  @Override
  public void prepare(int messages) {
    count = messages;
    there.prepare(messages, sequence);
    back.prepare(messages, sequence + 1);
    sequence += messages;
  }

  @Override
  public void run() {
    for (int i = 0; i < count; i++) {
      there.await(i);
      back.advance();
      poller.awaitCompleted(back, i + 1);
    }
  }

  @Override
  public boolean verify() {
    return there.verify() && back.verify();
  }

  @Override
  public boolean copy() {
    return false;
  }
}
