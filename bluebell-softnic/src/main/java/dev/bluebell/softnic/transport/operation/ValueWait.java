package dev.bluebell.softnic.transport.operation;

import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.WaitValueSegment;
import dev.bluebell.softnic.diagnosis.DeviceTime;
import dev.bluebell.softnic.engine.Lookout;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.SendWqe;
import dev.bluebell.softnic.queue.Staging;
import dev.bluebell.softnic.translation.KeyRefusals;
import dev.bluebell.softnic.translation.KeyTable;
import dev.bluebell.softnic.translation.MemoryKey;
import dev.bluebell.softnic.translation.SegmentList;
import dev.bluebell.softnic.transport.connection.Lifecycle;
import dev.bluebell.softnic.transport.connection.QpIdentity;

/**
 * A WAIT for 8 bytes of memory or for the device's clock: the queue continues when the condition of
 * the WQE holds for its value and the observed one, both masked. Owned by one requester.
 */
final class ValueWait extends Lookout {
  private static final long NEVER = Long.MAX_VALUE;

  private final KeyTable keys;
  private final Staging staging;
  private final DeviceTime time;
  private final int pd;
  private final int number;
  private final Lifecycle life;
  private final Fault fault;
  private final SegmentList word = new SegmentList();

  private boolean ofData;
  private int operation;
  private int lkey;
  private long address;
  private long value;
  private long mask;

  // The value that was observed last.
  private long observed;

  // True when the key allowed the last look, but the memory could not be read.
  private boolean isUnreachable;

  private long deadline = NEVER;

  /**
   * @param fault set when {@link #hold} refuses a WAIT
   */
  ValueWait(Chip chip, QpIdentity self, Lifecycle life, Fault fault) {
    super(chip.crossChannel().values(), chip.scheduler().client());
    keys = chip.keys();
    staging = chip.staging();
    time = chip.time();
    pd = self.pd();
    number = self.number();
    this.life = life;
    this.fault = fault;
  }

  /** Stops waiting. */
  void reset() {
    deadline = NEVER;
    unwatch();
  }

  /**
   * Checks whether the queue may continue, and arranges the next check if not: 0, {@link
   * Progress#WAIT} or {@link Progress#REFUSED}.
   *
   * @param data true to wait for memory, false for the clock
   */
  long hold(SendWqe wqe, boolean data) {
    take(wqe, data);
    if (!WaitValueSegment.isCondition(operation)) {
      return refuse(
          Syndrome.LOCAL_QP_OP_ERR,
          "operation 0x%x is not valid: it must be a condition from 0 to 5, alone or with 0x10, which inverts it"
              .formatted(operation));
    }
    if (!observe()) {
      return refuse(
          Syndrome.LOCAL_PROT_ERR,
          isUnreachable
              ? KeyRefusals.unreachable("lkey", word.failedKey(), word)
              : keys.refusal("lkey", lkey, address, Long.BYTES, pd, number, MemoryKey.LOCAL_READ));
    }
    if (isMet()) {
      reset();
      return 0;
    }
    comeBack();
    return Progress.WAIT;
  }

  private long refuse(int syndrome, String why) {
    reset();
    fault.set(syndrome, why);
    return Progress.REFUSED;
  }

  private void take(SendWqe wqe, boolean data) {
    ofData = data;
    operation = (int) wqe.operation(WaitValueSegment.OPERATION);
    lkey = (int) wqe.operation(WaitValueSegment.LKEY);
    address = wqe.operation(WaitValueSegment.ADDRESS);
    value = wqe.operation(WaitValueSegment.VALUE);
    mask = wqe.operation(WaitValueSegment.MASK);
  }

  /** Observes the current value; false when the memory can't be read. */
  private boolean observe() {
    if (!ofData) {
      observed = time.now();
      return true;
    }
    long at = keys.translate(lkey, address, Long.BYTES, pd, MemoryKey.LOCAL_READ);
    if (at != KeyTable.REFUSED) {
      observed = Memory.getLong(at);
      return true;
    }
    word.clear();
    isUnreachable = false;
    if (!keys.resolve(lkey, address, Long.BYTES, pd, number, MemoryKey.LOCAL_READ, word)) {
      return false;
    }
    long here = staging.of(Long.BYTES);
    isUnreachable = !word.read(here, Long.BYTES);
    if (!isUnreachable) {
      observed = Memory.getLong(here);
    }
    return !isUnreachable;
  }

  private boolean isMet() {
    return WaitValueSegment.isMet(operation, value, mask, observed);
  }

  // The clock reaches a value at a known time; everything else must be polled.
  private void comeBack() {
    long left = ofData || (mask & mask + 1) != 0 ? NEVER : nanosToAChange();
    if (left < NEVER - time.now()) {
      deadline = time.now() + left;
      life.schedule();
    } else {
      watch();
    }
  }

  /** Time until a condition on the clock may become true, for a mask without gaps. */
  private long nanosToAChange() {
    if (operation == WaitValueSegment.CYCLIC_SMALLER) {
      return nanosTo(value + 1);
    }
    long half = (mask >>> 1) + 1;
    long around = Math.min(nanosTo(value + half), nanosTo(value + half + 1));
    return Math.min(Math.min(nanosTo(value), nanosTo(value + 1)), Math.min(nanosTo(0), around));
  }

  private long nanosTo(long reading) {
    long left = reading - time.now() & mask;
    return left > 0 ? left : NEVER;
  }

  @Override
  protected int look() {
    // Its end may come while it waits for a slow page.
    if (life.isFrozen() || !isOver() || !isWatched()) {
      return 0;
    }
    unwatch();
    life.wake();
    return 1;
  }

  // A client can truncate its memory. The turn of the queue pair then meets the memory, too, and
  // ends the queue pair alone.
  private boolean isOver() {
    try {
      boolean over = !observe() || isMet();
      Memory.raiseFault();
      return over;
    } catch (InternalError gone) {
      return true;
    }
  }

  /** Earliest time at which a WAIT for the clock ends; {@link Long#MAX_VALUE} for never. */
  long deadline() {
    return deadline;
  }

  /** Ends a wait whose time has come. */
  void onTimer(long now) {
    if (deadline <= now) {
      deadline = NEVER;
    }
  }

  /** The awaited condition, as part of a sentence. */
  String describe() {
    return "until 0x%x compares by operation 0x%x with %s, under mask 0x%x; its value is 0x%x"
        .formatted(
            value,
            operation,
            ofData ? "the memory at 0x%x".formatted(address) : "the device's clock",
            mask,
            observed);
  }
}
