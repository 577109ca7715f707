package dev.bluebell.softnic.transport.operation;

import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.queue.SendWqe;
import dev.bluebell.softnic.translation.MemoryKey;
import dev.bluebell.softnic.transport.connection.End;
import org.jspecify.annotations.Nullable;

/**
 * Executes UMRs as late as a card may: a UMR waits until the next request that does not overtake
 * it, or until the end of the turn. Owned by one requester.
 */
public final class DeferredKeyChange implements LocalOperation {
  private final KeyChanges changes;
  private final RefusedRequest refused;
  private final int number;

  // The waiting UMR, and the key that it changes.
  private @Nullable SendWqe waiting;
  private @Nullable MemoryKey announced;
  private int entry;

  /**
   * @param refused records a UMR that is refused when it is executed
   */
  DeferredKeyChange(End end, RefusedRequest refused) {
    changes = new KeyChanges(end.chip(), end.self(), refused.fault());
    number = end.self().number();
    this.refused = refused;
  }

  /** Drops the waiting UMR. */
  public void reset() {
    if (announced != null) {
      announced.withdraw();
      announced = null;
    }
    waiting = null;
  }

  /** Defers a UMR, which a later step executes. */
  @Override
  public long execute(SendWqe wqe, int at, long done, long budget) {
    waiting = wqe;
    entry = at;
    announced = changes.target(wqe);
    if (announced != null) {
      announced.announce(number, wqe.index());
    }
    return 0;
  }

  /** True when the UMR of an entry is waiting. */
  public boolean isWaiting(int outstanding) {
    return waiting != null && entry == outstanding;
  }

  /** Executes the waiting UMR, unless the request that begins overtakes it; false if refused. */
  public boolean precede(SendWqe next) {
    boolean overtakes = next.fence() == 0 && next.opcode() != WqeOpcode.UMR;
    return waiting == null || overtakes || complete();
  }

  /** Executes the UMR that a request overtook, if it did; false if refused. */
  public boolean follow(SendWqe before) {
    return waiting == null || before.opcode() == WqeOpcode.UMR || complete();
  }

  /** Executes the waiting UMR, if any; false if refused. */
  public boolean complete() {
    SendWqe wqe = waiting;
    reset();
    boolean done = wqe == null || changes.execute(wqe);
    if (!done) {
      refused.at(entry);
    }
    return done;
  }
}
