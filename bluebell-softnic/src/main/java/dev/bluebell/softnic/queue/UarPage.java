package dev.bluebell.softnic.queue;

import dev.bluebell.hca.doorbell.Uar;
import dev.bluebell.hca.memory.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A UAR page in ordinary memory. A doorbell here is a level: a write means "look at the queues of
 * this page", and several queues may have written over each other.
 *
 * <p>The device clears a register before it looks at the queues. A driver writes its record,
 * fences, then writes the register; so either the look sees the record, or the register's write
 * comes after the clearing and is seen next time.
 */
public final class UarPage {
  private final int number;

  /** Keeps the page reachable. */
  @SuppressWarnings("UnusedVariable")
  private final MemorySegment memory;

  private final long address;
  private int users;

  public UarPage(int number) {
    this(number, Arena.ofAuto().allocate(Uar.PAGE_BYTES, Uar.PAGE_BYTES));
  }

  /**
   * @param memory the page's bytes, all zero
   */
  public UarPage(int number, MemorySegment memory) {
    this.number = number;
    this.memory = memory;
    address = memory.address();
  }

  public int number() {
    return number;
  }

  public long address() {
    return address;
  }

  public int users() {
    return users;
  }

  public void use(int delta) {
    users += delta;
  }

  /**
   * Takes a send doorbell off the page.
   *
   * @return the 8 bytes that were written last in one of the registers, never 0; 0 when there is
   *     none
   */
  public long takeSendDoorbell() {
    for (int i = 0; i < Uar.BLUEFLAME_REGISTERS * 2; i++) {
      long register = address + Uar.BLUEFLAME + (long) i * Uar.BLUEFLAME_BUFFER_BYTES;
      long value = Memory.getLongAcquire(register);
      if (value != 0) {
        Memory.putLong(register, 0);
        Memory.fullFence();
        return value;
      }
    }
    return 0;
  }

  /** Takes a CQ arm command off the page; 0 when there is none. */
  public long takeCqDoorbell() {
    long value = Memory.getLongAcquire(address + Uar.CQ_DOORBELL);
    if (value != 0) {
      Memory.putLong(address + Uar.CQ_DOORBELL, 0);
      Memory.fullFence();
    }
    return value;
  }
}
