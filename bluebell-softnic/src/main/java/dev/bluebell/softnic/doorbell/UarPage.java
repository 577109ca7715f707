package dev.bluebell.softnic.doorbell;

import dev.bluebell.hca.doorbell.Uar;
import dev.bluebell.hca.memory.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.LongPredicate;

/**
 * A UAR page in ordinary memory. A doorbell here is a level: a write means "look at the queues of
 * this page", and writes may overwrite each other.
 *
 * <p>A register that holds {@link #IDLE} was not written since the last look. Any other value is a
 * write, even zero: the driver of a receive queue may write the first 8 bytes of a receive WQE
 * there, and those may be zero.
 *
 * <p>The device sets a register to {@link #IDLE} before it looks at the queues. A driver writes its
 * record, fences, then writes the register; so either the look sees the record, or the register's
 * write comes after the device's and is seen next time.
 */
public final class UarPage {
  /** Number of buffers for send doorbells: those of all BlueFlame registers. */
  public static final int BUFFERS = Uar.BLUEFLAME_REGISTERS * 2;

  /**
   * The value of a register that was not written. It is no send doorbell (its ds is 0), no arm
   * command, and no start of a receive WQE (its byte count is above 2^31).
   */
  public static final long IDLE = 0xe7d1_5a3c_0000_0000L;

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
   * @param memory the page's bytes
   */
  public UarPage(int number, MemorySegment memory) {
    this.number = number;
    this.memory = memory;
    address = memory.address();
    for (int buffer = 0; buffer < BUFFERS; buffer++) {
      Memory.putLong(sendDoorbell(buffer), IDLE);
    }
    Memory.putLongRelease(address + Uar.CQ_DOORBELL, IDLE);
  }

  private long sendDoorbell(int buffer) {
    return address + Uar.BLUEFLAME + (long) buffer * Uar.BLUEFLAME_BUFFER_BYTES;
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
   * @param buffer 0 to {@link #BUFFERS} − 1; each even one and the next share a register
   * @return the 8 bytes that were written last; {@link #IDLE} when nothing was written
   */
  public long takeSendDoorbell(int buffer) {
    long at = sendDoorbell(buffer);
    long value = Memory.getLongAcquire(at);
    if (value != IDLE) {
      Memory.putLong(at, IDLE);
      Memory.fullFence();
    }
    return value;
  }

  /** True when a BlueFlame buffer holds a doorbell that was not taken yet. */
  public boolean isWritten(int buffer) {
    return Memory.getLongAcquire(sendDoorbell(buffer)) != IDLE;
  }

  /** True when a BlueFlame buffer holds such a doorbell, which was not taken yet. */
  public boolean holds(LongPredicate doorbell) {
    try {
      for (int buffer = 0; buffer < BUFFERS; buffer++) {
        long value = Memory.getLongAcquire(sendDoorbell(buffer));
        if (value != IDLE && doorbell.test(value)) {
          return true;
        }
      }
      return false;
    } catch (InternalError gone) {
      // The JVM throws this where a native process gets SIGBUS: the client truncated the page.
      return false;
    }
  }

  /**
   * Takes the last written CQ arm command off the page; {@link #IDLE} when nothing was written. It
   * is compared with the record, so an earlier one would not do.
   */
  public long takeCqDoorbell() {
    long register = address + Uar.CQ_DOORBELL;
    long value = Memory.getLongAcquire(register);
    return value == IDLE ? IDLE : Memory.getAndSetLong(register, IDLE);
  }
}
