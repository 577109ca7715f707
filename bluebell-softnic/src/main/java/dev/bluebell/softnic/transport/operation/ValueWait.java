package dev.bluebell.softnic.transport.operation;

import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.WaitValueSegment;
import dev.bluebell.softnic.diagnosis.DeviceTime;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.SendWqe;
import dev.bluebell.softnic.queue.Staging;
import dev.bluebell.softnic.queue.ValueWaiter;
import dev.bluebell.softnic.queue.ValueWaits;
import dev.bluebell.softnic.queue.VendorSyndrome;
import dev.bluebell.softnic.translation.KeyTable;
import dev.bluebell.softnic.translation.MemoryKey;
import dev.bluebell.softnic.translation.SegmentList;
import dev.bluebell.softnic.transport.connection.Lifecycle;
import dev.bluebell.softnic.transport.connection.QpIdentity;

/**
 * A WAIT for 8 bytes of memory or for the device's clock: the queue goes on when the value of the
 * WQE compares as its condition says with what is there, both under the mask. Owned by one
 * requester.
 */
final class ValueWait implements ValueWaiter {
  private static final long NEVER = Long.MAX_VALUE;

  private final ValueWaits waits;
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

  // What was found when it was looked last.
  private long observed;

  private boolean isLookedAt;
  private long deadline = NEVER;

  /**
   * @param fault where {@link #hold} says why a WAIT is refused
   */
  ValueWait(Chip chip, QpIdentity self, Lifecycle life, Fault fault) {
    waits = chip.crossChannel().values();
    keys = chip.keys();
    staging = chip.staging();
    time = chip.time();
    pd = self.pd();
    number = self.number();
    this.life = life;
    this.fault = fault;
  }

  /** Waits for nothing any more. */
  void reset() {
    deadline = NEVER;
    if (isLookedAt) {
      isLookedAt = false;
      waits.remove(this);
    }
  }

  /**
   * Looks whether the queue goes on, and is woken to look again if not: 0, {@link Progress#WAIT} or
   * {@link Progress#REFUSED}.
   *
   * @param data true to wait for memory, false for the clock
   */
  long hold(SendWqe wqe, boolean data) {
    take(wqe, data);
    if (!WaitValueSegment.isCondition(operation)) {
      return refuse(
          Syndrome.LOCAL_QP_OP_ERR,
          "operation 0x%x is none of the conditions 0 to 5, alone or with 0x10, which inverts them"
              .formatted(operation));
    }
    if (!look()) {
      return refuse(
          Syndrome.LOCAL_PROT_ERR,
          keys.refusal("lkey", lkey, address, Long.BYTES, pd, number, MemoryKey.LOCAL_READ));
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
    fault.set(syndrome, VendorSyndrome.UNKNOWN, why);
    return Progress.REFUSED;
  }

  private void take(SendWqe wqe, boolean data) {
    ofData = data;
    operation = (int) wqe.crossChannel(WaitValueSegment.OPERATION);
    lkey = (int) wqe.crossChannel(WaitValueSegment.LKEY);
    address = wqe.crossChannel(WaitValueSegment.ADDRESS);
    value = wqe.crossChannel(WaitValueSegment.VALUE);
    mask = wqe.crossChannel(WaitValueSegment.MASK);
  }

  /** Sees what is there now; false when the memory can't be read. */
  private boolean look() {
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
    long here = staging.of(Long.BYTES);
    if (!keys.resolve(lkey, address, Long.BYTES, pd, number, MemoryKey.LOCAL_READ, word)
        || !word.read(here, Long.BYTES)) {
      return false;
    }
    observed = Memory.getLong(here);
    return true;
  }

  private boolean isMet() {
    return WaitValueSegment.isMet(operation, value, mask, observed);
  }

  // The clock passes values at times that are known; all else must be looked at.
  private void comeBack() {
    long left = ofData || (mask & mask + 1) != 0 ? NEVER : nanosToAChange();
    if (left < NEVER - time.now()) {
      deadline = time.now() + left;
      life.schedule();
    } else if (!isLookedAt) {
      isLookedAt = true;
      waits.add(this);
    }
  }

  /** Until the clock, under a mask without gaps, is where a condition may begin to be true. */
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
  public boolean isHeldUp() {
    return life.isFrozen();
  }

  @Override
  public boolean isOver() {
    return !look() || isMet();
  }

  @Override
  public void wake() {
    isLookedAt = false;
    life.wake();
  }

  /** Earliest time at which a WAIT for the clock ends; {@link Long#MAX_VALUE} for never. */
  long deadline() {
    return deadline;
  }

  /** Takes note that a time has come. */
  void onTimer(long now) {
    if (deadline <= now) {
      deadline = NEVER;
    }
  }

  /** What the queue waits for, as a part of a sentence. */
  String describe() {
    return "until 0x%x compares by operation 0x%x with %s, under mask 0x%x; there is 0x%x"
        .formatted(
            value,
            operation,
            ofData ? "the memory at 0x%x".formatted(address) : "the device's clock",
            mask,
            observed);
  }
}
