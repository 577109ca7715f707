package dev.bluebell.softnic.timing;

/**
 * When the requests of one send queue begin. A request does not begin before it is fetched, nor
 * before the step that the one before it takes is over, nor without a processing unit. Times are
 * nanoseconds of the device's clock. Owned by the thread that runs the engine.
 */
public final class Pace {
  private static final long NEVER = Long.MAX_VALUE;

  /** Doorbells that are told apart; those beyond count as the last before them. */
  private static final int MARKS = 16;

  private final Costs costs;
  private final Host host;

  // Up to which index requests were announced, and when these are fetched, oldest first.
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
   * Takes note of the index up to which requests may be fetched.
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

  /** Takes note that a request began. */
  public void begin(int wqeOpcode, long now) {
    next = now + costs.step(wqeOpcode);
    unit = NEVER;
  }

  /** When the queue goes on; {@link Long#MAX_VALUE} when it does not wait for a time. */
  public long deadline() {
    return waiting;
  }

  /** Lets the deadline come. */
  public void onTimer(long now) {
    awaits(waiting, now);
  }
}
