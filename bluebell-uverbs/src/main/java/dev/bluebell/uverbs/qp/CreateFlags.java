package dev.bluebell.uverbs.qp;

import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.structure.View;

/**
 * Flags of {@code ib_verbs.h: ib_qp_create_flags}, which the kernel takes in the extended write
 * command alone, and which no public header but one of rdma-core has. Mirrors {@code mlx5_ib qp.c:
 * process_create_flags}.
 */
final class CreateFlags {
  /** It does not receive what it sends to a group that it is in itself. */
  private static final int BLOCK_SELF_MULTICAST = 1 << 1;

  /** It may WAIT, SEND_EN and RECV_EN. */
  private static final int CROSS_CHANNEL = 1 << 2;

  /** Its send queue is executed as far as a SEND_EN, or its doorbell, says. */
  private static final int MANAGED_SEND = 1 << 3;

  /** Its receive queue is used as far as a RECV_EN says. */
  private static final int MANAGED_RECV = 1 << 4;

  /** Those about other queues, which the ioctl does not take. */
  static final int CROSS_CHANNELS = CROSS_CHANNEL | MANAGED_SEND | MANAGED_RECV;

  /** All of them. */
  static final int ALL = BLOCK_SELF_MULTICAST | CROSS_CHANNELS;

  private CreateFlags() {}

  static void set(View qpc, int flags) {
    qpc.set(Qpc.BLOCK_LB_MC, (flags & BLOCK_SELF_MULTICAST) != 0)
        .set(Qpc.CD_MASTER, (flags & CROSS_CHANNEL) != 0)
        .set(Qpc.CD_SLAVE_SEND, (flags & MANAGED_SEND) != 0)
        .set(Qpc.CD_SLAVE_RECEIVE, (flags & MANAGED_RECV) != 0);
  }
}
