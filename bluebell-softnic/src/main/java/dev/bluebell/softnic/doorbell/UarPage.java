package dev.bluebell.softnic.doorbell;

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
  /** Buffers that take send doorbells: those of all BlueFlame registers. */
  public static final int BUFFERS = Uar.BLUEFLAME_REGISTERS * 2;

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
   * Takes a send doorbell off a BlueFlame buffer.
   *
   * @param buffer 0 to {@link #BUFFERS} − 1; two after another belong to one register
   * @return the 8 bytes that were written last, never 0; 0 when there are none
   */
  public long takeSendDoorbell(int buffer) {
    long at = address + Uar.BLUEFLAME + (long) buffer * Uar.BLUEFLAME_BUFFER_BYTES;
    long value = Memory.getLongAcquire(at);
    if (value != 0) {
      Memory.putLong(at, 0);
      Memory.fullFence();
    }
    return value;
  }

  /**
   * Takes a CQ arm command off the page, the last one that was written; 0 when there is none. It is
   * compared with the record, so an earlier one must not stand in for it.
   */
  public long takeCqDoorbell() {
    long register = address + Uar.CQ_DOORBELL;
    return Memory.getLongAcquire(register) == 0 ? 0 : Memory.getAndSetLong(register, 0);
  }
}
