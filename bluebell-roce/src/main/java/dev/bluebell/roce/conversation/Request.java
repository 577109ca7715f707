package dev.bluebell.roce.conversation;

import dev.bluebell.roce.packet.AtomicEth;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.roce.packet.PacketView;
import dev.bluebell.roce.packet.Reth;
import org.jspecify.annotations.Nullable;

/**
 * A request packet, when it was seen for the first time.
 *
 * @param frame its number in the capture
 * @param nanoseconds when
 * @param opcode of its BTH
 * @param psn of its BTH, as its {@link Flow} extends it
 * @param address of its RETH or AtomicETH; 0 without one
 * @param rkey likewise
 * @param length DMA length of its RETH; 0 without one
 * @param start the first packet of its message; null when this is the first, or it was not seen
 */
record Request(
    long frame,
    long nanoseconds,
    int opcode,
    long psn,
    long address,
    int rkey,
    long length,
    @Nullable Request start) {
  static Request of(
      PacketView packet, long psn, long frame, long nanoseconds, @Nullable Request start) {
    int reth = packet.at(Reth.HEADER);
    // Address and key are where a RETH has them.
    int access = Math.max(reth, packet.at(AtomicEth.HEADER));
    return new Request(
        frame,
        nanoseconds,
        packet.opcode(),
        psn,
        access < 0 ? 0 : Reth.VA.get(packet.buffer(), access),
        access < 0 ? 0 : Reth.R_KEY.getInt(packet.buffer(), access),
        reth < 0 ? 0 : Reth.DMA_LENGTH.get(packet.buffer(), reth),
        start);
  }

  boolean isAtomic() {
    int operation = BthOpcode.operation(opcode);
    return operation == BthOpcode.COMPARE_SWAP || operation == BthOpcode.FETCH_ADD;
  }

  boolean isRead() {
    return BthOpcode.operation(opcode) == BthOpcode.READ_REQUEST;
  }

  /** The packet of its message that contains the address. */
  Request head() {
    return start == null ? this : start;
  }

  boolean hasKey() {
    return isAtomic() || isRead() || BthOpcode.isWrite(opcode) && BthOpcode.isFirst(opcode);
  }
}
