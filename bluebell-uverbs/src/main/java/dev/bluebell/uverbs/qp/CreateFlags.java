package dev.bluebell.uverbs.qp;

import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.structure.View;

/**
 * Flags of {@code ib_verbs.h: ib_qp_create_flags}, which the kernel accepts only in the extended
 * write command, and which a single public header defines, one of rdma-core's. Mirrors {@code
 * mlx5_ib qp.c: process_create_flags}.
 */
final class CreateFlags {
  /** Does not receive its own messages to a multicast group that it is attached to. */
  private static final int BLOCK_SELF_MULTICAST = 1 << 1;

  /** May post WAIT, SEND_EN and RECV_EN. */
  private static final int CROSS_CHANNEL = 1 << 2;

  /** Executes its send queue up to the index that a SEND_EN, or its doorbell, sets. */
  private static final int MANAGED_SEND = 1 << 3;

  /** Uses its receive queue up to the index that a RECV_EN sets. */
  private static final int MANAGED_RECV = 1 << 4;

  /** The cross-channel flags, which the ioctl does not accept. */
  static final int CROSS_CHANNELS = CROSS_CHANNEL | MANAGED_SEND | MANAGED_RECV;

  /** All flags. */
  static final int ALL = BLOCK_SELF_MULTICAST | CROSS_CHANNELS;

  private CreateFlags() {}

  static void set(View qpc, int flags) {
    qpc.set(Qpc.BLOCK_LB_MC, (flags & BLOCK_SELF_MULTICAST) != 0)
        .set(Qpc.CD_MASTER, (flags & CROSS_CHANNEL) != 0)
        .set(Qpc.CD_SLAVE_SEND, (flags & MANAGED_SEND) != 0)
        .set(Qpc.CD_SLAVE_RECEIVE, (flags & MANAGED_RECV) != 0);
  }
}
