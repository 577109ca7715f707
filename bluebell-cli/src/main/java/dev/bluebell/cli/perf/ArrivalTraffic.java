package dev.bluebell.cli.perf;

/** What a server does while a client sends: it takes what arrives. */
final class ArrivalTraffic implements Traffic {
  private final Arrivals arrivals;
  private final int window;
  private final int slots;
  private long sequence;

  /**
   * @param slots messages of a round that each flow has room for
   */
  ArrivalTraffic(Arrivals arrivals, int flows, int slots) {
    this.arrivals = arrivals;
    this.slots = slots;
    window = flows * slots;
  }

  @Override
  public int window() {
    return window;
  }

  @Override
  public void prepare(int messages) {
    arrivals.prepare(messages, sequence);
    sequence += slots;
  }

  @Override
  public void run() {
    arrivals.awaitAll();
  }

  @Override
  public boolean verify() {
    return arrivals.verify();
  }

  @Override
  public boolean copy() {
    return false;
  }
}
