package dev.bluebell.uverbs.qp;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.command.Capabilities.AtomicCaps;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.View;
import dev.bluebell.uverbs.session.Capabilities;

/** The atomic_mode of a responder. Mirrors {@code mlx5_ib qp.c: get_atomic_mode}. */
final class AtomicMode {
  /** Sizes of atomics up to 256 bytes, as bits. */
  private static final int LARGEST = 0x1ff;

  private AtomicMode() {}

  /**
   * The mode that allows all atomics that the device supports.
   *
   * @param sizes those of the service: {@link AtomicCaps#ATOMIC_SIZE_QP} or {@link
   *     AtomicCaps#ATOMIC_SIZE_DC}
   * @param outOfOrder whether its data may be placed out of order, which limits atomics to 8 bytes
   */
  static int largest(Hca hca, Field sizes, boolean outOfOrder) {
    View atomic = Capabilities.atomic(hca);
    int extended = AtomicCaps.EXTENDED_COMPARE_SWAP | AtomicCaps.EXTENDED_FETCH_ADD;
    int supported = atomic.getInt(sizes) & LARGEST;
    if ((atomic.getInt(AtomicCaps.ATOMIC_OPERATIONS) & extended) == 0 || supported == 0) {
      return Qpc.ATOMIC_MODE_IB_SPEC;
    }
    return outOfOrder
        ? Qpc.ATOMIC_MODE_8B
        : Math.max(Qpc.ATOMIC_MODE_8B, QpCommands.log2(supported));
  }
}
