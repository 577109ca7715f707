package dev.bluebell.softnic.packet;

/**
 * The parts of a masked atomic request that AtomicETH has no field for: the operand size, the
 * masks, and the high halves of 16-byte operands. The InfiniBand specification defines no packet
 * for masked atomics, so one travels as CmpSwap or FetchAdd with this object beside it, and only
 * where both ends are this device.
 *
 * <p>Fields are public for the reasons that {@link Packet} names. Owned by the thread that runs the
 * engine.
 */
public final class MaskedOperands {
  /** Bytes of each operand, 4, 8 or 16; 0 for a standard atomic, which has no others. */
  public int bytes;

  public long swapAddHigh;
  public long compareHigh;

  /** Bits that a compare-and-swap changes; of a fetch-and-add, the highest bit of each field. */
  public long changed;

  public long changedHigh;

  /** Bits that a compare-and-swap compares. */
  public long compared;

  public long comparedHigh;

  /** Takes the values of another. */
  public void copy(MaskedOperands other) {
    bytes = other.bytes;
    swapAddHigh = other.swapAddHigh;
    compareHigh = other.compareHigh;
    changed = other.changed;
    changedHigh = other.changedHigh;
    compared = other.compared;
    comparedHigh = other.comparedHigh;
  }
}
