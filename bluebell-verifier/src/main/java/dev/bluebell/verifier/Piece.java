package dev.bluebell.verifier;

import dev.bluebell.hca.wqe.DataSegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * One entry of a gather or scatter list.
 *
 * @param offset offset in the request of the inline bytes, or of the pointer's segment
 * @param length in bytes
 * @param lkey of the memory; 0 for inline bytes
 * @param address of the memory; 0 for inline bytes
 * @param inline true when the bytes are in the request
 */
record Piece(int offset, int length, int lkey, long address, boolean inline) {
  /** The pieces of a receive entry that a message fills. */
  static List<Piece> ofReceive(byte[] entry, int messageBytes) {
    List<Piece> pieces = new ArrayList<>();
    int left = messageBytes;
    for (int at = 0; at < entry.length && left > 0; at += DataSegment.BYTES) {
      long first = ByteBuffer.wrap(entry).getLong(at);
      int lkey = DataSegment.lkey(first);
      if (lkey == DataSegment.INVALID_LKEY && DataSegment.byteCount(first) == 0) {
        break;
      }
      int taken = (int) Math.min(DataSegment.length(first), left);
      pieces.add(new Piece(at, taken, lkey, DataSegment.ADDRESS.get(entry, at), false));
      left -= taken;
    }
    if (left > 0) {
      throw new IllegalRequest("has no room for a message of %d bytes", messageBytes);
    }
    return pieces;
  }
}
