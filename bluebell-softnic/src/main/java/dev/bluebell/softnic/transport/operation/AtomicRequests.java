package dev.bluebell.softnic.transport.operation;

import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.AtomicSegment;
import dev.bluebell.hca.wqe.MaskedCompareSwap;
import dev.bluebell.hca.wqe.MaskedFetchAdd;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.packet.MaskedOperands;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.queue.SendWqe;

/**
 * The requester's side of atomics: fills in the request packet, and writes the result to memory.
 */
public final class AtomicRequests {
  /** Bytes of the largest result. */
  public static final int MAX_BYTES = 16;

  private AtomicRequests() {}

  /** True for the opcodes of atomics. */
  public static boolean isAtomic(int opcode) {
    return switch (opcode) {
      case WqeOpcode.ATOMIC_CS,
          WqeOpcode.ATOMIC_FA,
          WqeOpcode.ATOMIC_MASKED_CS,
          WqeOpcode.ATOMIC_MASKED_FA ->
          true;
      default -> false;
    };
  }

  /** The operation that carries an atomic, see {@link BthOpcode}. */
  public static int operation(int opcode) {
    return opcode == WqeOpcode.ATOMIC_CS || opcode == WqeOpcode.ATOMIC_MASKED_CS
        ? BthOpcode.COMPARE_SWAP
        : BthOpcode.FETCH_ADD;
  }

  /** Fills in a packet from the WQE of an atomic. */
  public static void describe(SendWqe wqe, Packet packet) {
    int bytes = wqe.maskedBytes();
    packet.address = wqe.remoteAddress();
    packet.rkey = wqe.rkey();
    packet.masked.bytes = bytes;
    if (bytes == 0) {
      packet.length = AtomicSegment.OPERAND_BYTES;
      packet.swapAdd = wqe.swapAdd();
      packet.compare = wqe.compare();
      return;
    }
    packet.length = bytes;
    if (wqe.opcode() == WqeOpcode.ATOMIC_MASKED_CS) {
      describeSwap(MaskedCompareSwap.ofOperands(bytes), wqe, packet);
    } else {
      describeAdd(MaskedFetchAdd.ofOperands(bytes), wqe, packet);
    }
  }

  private static void describeSwap(MaskedCompareSwap layout, SendWqe wqe, Packet packet) {
    MaskedOperands masked = packet.masked;
    packet.swapAdd = wqe.operand(layout.swap());
    packet.compare = wqe.operand(layout.compare());
    masked.changed = wqe.operand(layout.swapMask());
    masked.compared = wqe.operand(layout.compareMask());
    masked.swapAddHigh = wqe.operandHigh(layout.swap());
    masked.compareHigh = wqe.operandHigh(layout.compare());
    masked.changedHigh = wqe.operandHigh(layout.swapMask());
    masked.comparedHigh = wqe.operandHigh(layout.compareMask());
  }

  private static void describeAdd(MaskedFetchAdd layout, SendWqe wqe, Packet packet) {
    packet.swapAdd = wqe.operand(layout.add());
    packet.masked.changed = wqe.operand(layout.fieldBoundary());
    packet.masked.swapAddHigh = wqe.operandHigh(layout.add());
    packet.masked.changedHigh = wqe.operandHigh(layout.fieldBoundary());
  }

  /**
   * Writes the result: 8 bytes to memory in host order, as atomic_req_8B_endianness_mode says;
   * other sizes, and results in CQEs, in big-endian order.
   *
   * @param at room for {@link #MAX_BYTES}
   * @param bytes 4, 8 or 16
   */
  public static void putResult(long at, Packet response, int bytes, boolean intoCqe) {
    switch (bytes) {
      case 4 -> Memory.putInt(at, (int) response.original);
      case 8 -> {
        if (intoCqe) {
          Memory.putLong(at, response.original);
        } else {
          Memory.putNativeLong(at, response.original);
        }
      }
      default -> {
        Memory.putLong(at, response.originalHigh);
        Memory.putLong(at + 8, response.original);
      }
    }
  }
}
