package dev.bluebell.softnic.transport.receive;

import dev.bluebell.hca.memory.Memory;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.packet.MaskedOperands;
import dev.bluebell.softnic.packet.Packet;

/**
 * Masked atomic operations on 4, 8 or 16 bytes of memory. Memory of 4 and 8 bytes is one host-order
 * integer; of 16 bytes it is two, the high half before the low one. Callers must ensure that the
 * address is valid. Operations on 4 and 8 bytes are also atomic with respect to the host's
 * processors if the host address is aligned; those on 16 bytes only among work requests, which one
 * thread executes one at a time.
 *
 * <p>Reused; owned by one responder.
 */
public final class MaskedAtomics {
  private long low;
  private long high;

  // The new value of the memory.
  private long newLow;
  private long newHigh;

  /** The original value of the last {@link #execute}; of 16 bytes, the low half. */
  public long original() {
    return low;
  }

  /** The high half of the original value of the last {@link #execute} on 16 bytes; otherwise 0. */
  public long originalHigh() {
    return high;
  }

  /** True when the last {@link #execute} did not change the memory. */
  public boolean leftUnchanged() {
    return low == newLow && high == newHigh;
  }

  /** Executes a masked compare-and-swap or fetch-and-add. */
  public void execute(long at, Packet request) {
    switch (request.masked.bytes) {
      case 4 -> executeInt(at, request);
      case 8 -> executeLong(at, request);
      default -> executeWide(at, request);
    }
  }

  private void executeInt(long at, Packet request) {
    boolean aligned = (at & 3) == 0;
    do {
      low = Memory.getNativeInt(at) & 0xffffffffL;
      high = 0;
      compute(request);
      newLow &= 0xffffffffL;
      if (low == newLow) {
        return;
      }
      if (!aligned) {
        Memory.putNativeInt(at, (int) newLow);
        return;
      }
    } while (Memory.compareAndExchangeNativeInt(at, (int) low, (int) newLow) != (int) low);
  }

  private void executeLong(long at, Packet request) {
    boolean aligned = (at & 7) == 0;
    do {
      low = Memory.getNativeLong(at);
      high = 0;
      compute(request);
      if (low == newLow) {
        return;
      }
      if (!aligned) {
        Memory.putNativeLong(at, newLow);
        return;
      }
    } while (Memory.compareAndExchangeNativeLong(at, low, newLow) != low);
  }

  private void executeWide(long at, Packet request) {
    high = Memory.getNativeLong(at);
    low = Memory.getNativeLong(at + 8);
    compute(request);
    if (!leftUnchanged()) {
      Memory.putNativeLong(at, newHigh);
      Memory.putNativeLong(at + 8, newLow);
    }
  }

  private void compute(Packet request) {
    if (BthOpcode.operation(request.opcode) == BthOpcode.COMPARE_SWAP) {
      swap(request);
    } else {
      add(request);
    }
  }

  private void swap(Packet request) {
    MaskedOperands masked = request.masked;
    newLow = low;
    newHigh = high;
    boolean equal =
        ((low ^ request.compare) & masked.compared) == 0
            && (masked.bytes < 16 || ((high ^ masked.compareHigh) & masked.comparedHigh) == 0);
    if (equal) {
      newLow = low & ~masked.changed | request.swapAdd & masked.changed;
      if (masked.bytes == 16) {
        newHigh = high & ~masked.changedHigh | masked.swapAddHigh & masked.changedHigh;
      }
    }
  }

  // The highest bit of each field is added without carry, so no sum overflows into the next field.
  private void add(Packet request) {
    MaskedOperands masked = request.masked;
    long ends = masked.changed;
    long sum = (low & ~ends) + (request.swapAdd & ~ends);
    newLow = sum ^ (low ^ request.swapAdd) & ends;
    newHigh = 0;
    if (masked.bytes == 16) {
      long carry = Long.compareUnsigned(sum, low & ~ends) < 0 ? 1 : 0;
      long highEnds = masked.changedHigh;
      newHigh =
          (high & ~highEnds) + (masked.swapAddHigh & ~highEnds) + carry
              ^ (high ^ masked.swapAddHigh) & highEnds;
    }
  }
}
