package dev.bluebell.softnic.timing;

/**
 * One host with its own card, in virtual time: until when its processing units, both directions of
 * its link, its loopback path and its atomic unit are busy. Times are nanoseconds of the device's
 * clock. Owned by the thread that runs the engine.
 */
public final class Host {
  private final Costs costs;
  private final long[] units;
  private long out;
  private long in;
  private long inside;
  private long atomics;

  Host(Costs costs) {
    this.costs = costs;
    units = new long[costs.units()];
  }

  /** Creates the pace of a queue of this host. */
  public Pace pace() {
    return new Pace(costs, this);
  }

  /**
   * Takes the processing unit that is free first.
   *
   * @return when the queue gets it
   */
  long takeUnit(long occupancy, long now) {
    int first = 0;
    for (int i = 1; i < units.length; i++) {
      first = units[i] < units[first] ? i : first;
    }
    long since = Math.max(now, units[first]);
    units[first] = since + occupancy;
    return since;
  }

  /**
   * Sends payload to a host, or from one queue pair to another of this one.
   *
   * @param back whether it is a response
   * @return when it has arrived there
   */
  long carry(Host to, int bytes, boolean back, long now) {
    long taken = costs.serialisation(bytes);
    if (equals(to)) {
      long begins = Math.max(now, inside);
      inside = begins + taken;
      return begins + costs.delay(bytes);
    }
    long leaves = Math.max(now, out);
    out = leaves + taken;
    long arrives = Math.max(leaves + costs.hop(back), to.in);
    to.in = arrives + taken;
    return arrives + costs.delay(bytes);
  }

  /**
   * Queues an arriving atomic behind all earlier ones.
   *
   * @return when it starts
   */
  long takeAtomic(long arrival) {
    long starts = Math.max(arrival, atomics);
    atomics = starts + costs.atomic();
    return starts;
  }
}
