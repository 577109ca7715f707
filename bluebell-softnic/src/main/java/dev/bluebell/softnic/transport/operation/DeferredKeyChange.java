package dev.bluebell.softnic.transport.operation;

import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.queue.SendWqe;
import dev.bluebell.softnic.translation.KeyTable;
import dev.bluebell.softnic.translation.MemoryKey;
import dev.bluebell.softnic.transport.connection.End;
import org.jspecify.annotations.Nullable;

/**
 * Executes UMRs as late as a card may: one that is passed waits for the next request that does not
 * overtake it, or for the end of the turn. Owned by one requester.
 */
public final class DeferredKeyChange implements LocalOperation {
  private final KeyChanges changes;
  private final KeyTable keys;
  private final RefusedRequest refused;
  private final int number;

  // The UMR that waits, and the key that it is to change.
  private @Nullable SendWqe waiting;
  private @Nullable MemoryKey announced;
  private int entry;

  /**
   * @param refused takes note of a UMR that is refused when it is executed
   */
  DeferredKeyChange(End end, RefusedRequest refused) {
    changes = new KeyChanges(end.chip(), end.self(), refused.fault());
    keys = end.chip().keys();
    number = end.self().number();
    this.refused = refused;
  }

  /** Forgets the UMR that waits. */
  public void reset() {
    if (announced != null) {
      announced.withdraw();
      announced = null;
    }
    waiting = null;
  }

  /** Passes a UMR, which a later step executes. */
  @Override
  public long execute(SendWqe wqe, int at, long done, long budget) {
    waiting = wqe;
    entry = at;
    announced = keys.atIndex(wqe.immediate() >>> 8);
    if (announced != null) {
      announced.announce(number, wqe.index());
    }
    return 0;
  }

  @Override
  public boolean isUnrepeatable() {
    return true;
  }

  /** True when the UMR of an entry waits. */
  public boolean isWaiting(int outstanding) {
    return waiting != null && entry == outstanding;
  }

  /** Executes the UMR that waits, unless a request that begins overtakes it; false if refused. */
  public boolean precede(SendWqe next) {
    boolean overtakes = next.fence() == 0 && next.opcode() != WqeOpcode.UMR;
    return waiting == null || overtakes || complete();
  }

  /** Executes the UMR that a request overtook, if it did; false if refused. */
  public boolean follow(SendWqe before) {
    return waiting == null || before.opcode() == WqeOpcode.UMR || complete();
  }

  /** Executes the UMR that waits, if there is one; false if refused. */
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
