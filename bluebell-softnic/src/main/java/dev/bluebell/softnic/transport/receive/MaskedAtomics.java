package dev.bluebell.softnic.transport.receive;

import dev.bluebell.hca.memory.Memory;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.packet.MaskedOperands;
import dev.bluebell.softnic.packet.Packet;

/**
 * Masked atomic operations on 4, 8 or 16 bytes of memory. Memory of 4 and 8 bytes is one host-order
 * integer; of 16 bytes it is two, the high half before the low one. Callers vouch for the address.
 * Those of 4 and 8 bytes are atomic against the host's processors too where the address is aligned
 * on the host; those of 16 bytes only among work requests, as the thread that runs the engine
 * executes one at a time.
 *
 * <p>Reused; owned by one responder.
 */
public final class MaskedAtomics {
  private long low;
  private long high;

  // What the memory is to hold.
  private long newLow;
  private long newHigh;

  /** The value from before the last {@link #execute}; the low half of one of 16 bytes. */
  public long original() {
    return low;
  }

  /** The high half of a value of 16 bytes from before the last {@link #execute}; otherwise 0. */
  public long originalHigh() {
    return high;
  }

  /** True when the last {@link #execute} left the memory as it was. */
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

  // The highest bit of each field is added without its carry: what is left out of a sum can't run
  // over into the next field.
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
