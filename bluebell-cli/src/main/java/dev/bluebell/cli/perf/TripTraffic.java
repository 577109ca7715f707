package dev.bluebell.cli.perf;

/** Round trips one after the other, each timed. */
final class TripTraffic implements Traffic {
  private final RoundTrip trip;
  private final int slots;
  private final Timings timings;
  private long sequence;
  private int count;

  /**
   * Makes traffic of trips.
   *
   * @param slots trips of a round that there is memory for
   * @param timings takes the nanoseconds of each
   */
  TripTraffic(RoundTrip trip, int slots, Timings timings) {
    this.trip = trip;
    this.slots = slots;
    this.timings = timings;
  }

  @Override
  public int window() {
    return slots;
  }

  @Override
  public void prepare(int messages) {
    count = messages;
    trip.prepare(messages, sequence);
    sequence += messages;
  }

  @Override
  public void run() {
    int ways = trip.ways();
    for (int i = 0; i < count; i++) {
      long start = System.nanoTime();
      trip.go(i);
      timings.add((System.nanoTime() - start) / ways);
      trip.settle(i);
    }
  }

  @Override
  public boolean verify() {
    return trip.verify();
  }

  @Override
  public boolean copy() {
    // The latency of a message has no counterpart in a copy.
    return false;
  }
}
