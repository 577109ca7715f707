package dev.bluebell.softnic.transport.receive;

import dev.bluebell.hca.memory.Memory;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.packet.Packet;

/**
 * Atomic operations on 8 bytes of memory, as a host-order integer. Callers must ensure that the
 * address is valid.
 */
public final class Atomics {
  private Atomics() {}

  /**
   * Executes a compare-and-swap or fetch-and-add, and returns the original value.
   *
   * @param strict true when it is atomic among work requests only
   */
  public static long execute(long at, Packet request, boolean strict) {
    if (strict) {
      return executeAmongRequests(at, request);
    }
    return BthOpcode.operation(request.opcode) == BthOpcode.COMPARE_SWAP
        ? compareAndSwap(at, request)
        : fetchAndAdd(at, request);
  }

  private static long executeAmongRequests(long at, Packet request) {
    long original = Memory.getNativeLong(at);
    // A processor's store at this point is lost, as it may be on a card.
    Thread.onSpinWait();
    if (BthOpcode.operation(request.opcode) != BthOpcode.COMPARE_SWAP) {
      Memory.putNativeLong(at, original + request.swapAdd);
    } else if (original == request.compare) {
      Memory.putNativeLong(at, request.swapAdd);
    }
    return original;
  }

  // A zero-based or shifted region can put an aligned virtual address on an odd host address, where
  // the host has no atomic access.
  private static long compareAndSwap(long at, Packet request) {
    if ((at & 7) == 0) {
      return Memory.compareAndExchangeNativeLong(at, request.compare, request.swapAdd);
    }
    long original = Memory.getNativeLong(at);
    if (original == request.compare) {
      Memory.putNativeLong(at, request.swapAdd);
    }
    return original;
  }

  private static long fetchAndAdd(long at, Packet request) {
    if ((at & 7) == 0) {
      return Memory.getAndAddNativeLong(at, request.swapAdd);
    }
    long original = Memory.getNativeLong(at);
    Memory.putNativeLong(at, original + request.swapAdd);
    return original;
  }
}
