package dev.bluebell.softnic.timing;

/**
 * Decides when the requests of one send queue begin. A request begins once it is fetched, the step
 * of the request before it is over, and a processing unit is free. Times are nanoseconds of the
 * device's clock. Owned by the thread that runs the engine.
 */
public final class Pace {
  private static final long NEVER = Long.MAX_VALUE;

  /** Doorbells that are tracked separately; further ones are merged into the last. */
  private static final int MARKS = 16;

  private final Costs costs;
  private final Host host;

  // Announced limits, and when the requests up to each are fetched, oldest first.
  private final int[] limits = new int[MARKS];
  private final long[] fetched = new long[MARKS];
  private int oldest;
  private int marks;
  private int limit;

  private long next;
  private long unit = NEVER;
  private long waiting = NEVER;

  Pace(Costs costs, Host host) {
    this.costs = costs;
    this.host = host;
  }

  /** Starts again at index 0. */
  public void reset() {
    marks = 0;
    limit = 0;
    unit = NEVER;
    waiting = NEVER;
  }

  /**
   * Records the index up to which requests may be fetched.
   *
   * @param newLimit in WQEBBs, 16 bits, exclusive
   * @param rung whether a doorbell raised it, not a SEND_EN
   */
  public void announce(int newLimit, boolean rung, long now) {
    if (newLimit == limit) {
      return;
    }
    limit = newLimit;
    if (marks == MARKS) {
      limits[oldest + marks - 1 & MARKS - 1] = newLimit;
      return;
    }
    int at = oldest + marks++ & MARKS - 1;
    limits[at] = newLimit;
    fetched[at] = now + (rung ? costs.doorbell() : costs.enable());
  }

  /** True when the request at an index is fetched by now; otherwise {@link #deadline} says when. */
  public boolean isFetched(int index, long now) {
    while (marks > 0 && (short) (limits[oldest] - index) <= 0) {
      oldest = oldest + 1 & MARKS - 1;
      marks--;
    }
    return marks == 0 || awaits(fetched[oldest], now);
  }

  /** True when a request that is fetched may begin; otherwise {@link #deadline} says when. */
  public boolean mayBegin(int wqeOpcode, long now) {
    if (!awaits(next, now)) {
      return false;
    }
    if (unit == NEVER) {
      unit = host.takeUnit(costs.occupancy(wqeOpcode), now);
    }
    return awaits(unit, now);
  }

  private boolean awaits(long time, long now) {
    boolean come = time <= now;
    waiting = come ? NEVER : time;
    return come;
  }

  /** Records that a request began. */
  public void begin(int wqeOpcode, long now) {
    next = now + costs.step(wqeOpcode);
    unit = NEVER;
  }

  /** When the queue continues; {@link Long#MAX_VALUE} when it does not wait for a time. */
  public long deadline() {
    return waiting;
  }

  /** Clears the deadline when it has passed. */
  public void onTimer(long now) {
    awaits(waiting, now);
  }
}
