package dev.bluebell.softnic.transport;

import dev.bluebell.hca.wqe.WqeForm;
import dev.bluebell.softnic.rig.Wqe;

/** Masked fetch-and-adds of 1, in each of their sizes. */
final class MaskedAdd {
  private MaskedAdd() {}

  /** Offset of the lowest word of an operand in memory: of 16 bytes, the high half is first. */
  static int low(int bytes) {
    return bytes == 16 ? 8 : 0;
  }

  /**
   * Makes a request add 1; the caller must add the data segment.
   *
   * @param wqe with opcode ATOMIC_MASKED_FA, and what addresses it
   * @param bytes 4, 8 or 16
   */
  static Wqe of(Wqe wqe, int bytes, long address, int rkey) {
    int opmod = WqeForm.MASKED_ATOMIC_4 + Integer.numberOfTrailingZeros(bytes / 4);
    Wqe add = wqe.opmod(opmod).remote(address, rkey);
    return switch (bytes) {
      case 4 -> add.words(1L << 32, 0);
      case 8 -> add.words(1, 0);
      default -> add.words(0, 1).words(0, 0);
    };
  }
}
