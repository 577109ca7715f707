package dev.bluebell.server;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** How much of each {@link Quota} one client process holds. Thread-safe. */
public final class Account implements AutoCloseable {
  /** Limit of a single request; the sum of two does not overflow. */
  private static final long MAX_AMOUNT = 1L << 60;

  private final Quotas quotas;
  private final Object process;

  // Guarded by the quotas.
  final long[] held = new long[Quota.values().length];
  int openings;

  Account(Quotas quotas, Object process) {
    this.quotas = quotas;
    this.process = process;
  }

  /** Amounts that are given back once, by the first {@link #close}. */
  public final class Hold implements AutoCloseable {
    private final Quota quota;
    private final long amount;
    private final @Nullable Hold others;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Hold(Quota quota, long amount, @Nullable Hold others) {
      this.quota = quota;
      this.amount = amount;
      this.others = others;
    }

    /**
     * Takes an amount of another resource, too; gives back everything if that fails.
     *
     * @param count as for {@link Account#take(Quota, long)}; 0 takes nothing, and never fails
     * @return replaces this
     */
    public Hold and(Quota more, long count) throws QuotaExceeded {
      if (count == 0) {
        return this;
      }
      try {
        return take(more, count, this);
      } catch (QuotaExceeded e) {
        close();
        throw e;
      }
    }

    @Override
    public void close() {
      if (!closed.getAndSet(true)) {
        quotas.give(Account.this, quota, amount);
        if (others != null) {
          others.close();
        }
      }
    }
  }

  Object process() {
    return process;
  }

  /** Takes one. */
  public Hold take(Quota quota) throws QuotaExceeded {
    return take(quota, 1);
  }

  /**
   * Takes an amount until the result is closed.
   *
   * @param amount any number; a negative one counts as a very large one
   * @throws QuotaExceeded when the client may not hold so much; nothing is taken then
   */
  public Hold take(Quota quota, long amount) throws QuotaExceeded {
    return take(quota, amount, null);
  }

  private Hold take(Quota quota, long amount, @Nullable Hold others) throws QuotaExceeded {
    long bounded = amount < 0 || amount > MAX_AMOUNT ? MAX_AMOUNT : amount;
    QuotaExceeded exceeded = quotas.take(this, quota, bounded);
    if (exceeded != null) {
      throw exceeded;
    }
    return new Hold(quota, bounded, others);
  }

  /** Like {@link #take(Quota)}; null when the client may not hold one more. */
  public @Nullable Hold tryTake(Quota quota) {
    return quotas.take(this, quota, 1) == null ? new Hold(quota, 1, null) : null;
  }

  /** What the client holds. */
  public long held(Quota quota) {
    return quotas.held(this, quota);
  }

  /** What all clients hold together. */
  public long heldByAll(Quota quota) {
    return quotas.held(quota);
  }

  /** Ends one connection's use of the account. Amounts still held are returned by their holds. */
  @Override
  public void close() {
    quotas.close(this);
  }
}
