package dev.bluebell.uverbs.qp;

import dev.bluebell.hca.command.Qpc;
import dev.bluebell.hca.command.View;

/**
 * What a queue pair may do with others' queues, and who says how far its own are executed. Flags of
 * {@code ib_verbs.h: ib_qp_create_flags}, which the kernel takes in the extended write command
 * alone, and no public header has. Mirrors {@code mlx5_ib qp.c: process_create_flags}.
 */
final class CrossChannel {
  /** It may WAIT, SEND_EN and RECV_EN. */
  private static final int CROSS_CHANNEL = 1 << 2;

  /** Its send queue is executed as far as a SEND_EN, or its doorbell, says. */
  private static final int MANAGED_SEND = 1 << 3;

  /** Its receive queue is used as far as a RECV_EN says. */
  private static final int MANAGED_RECV = 1 << 4;

  /** All of them. */
  static final int FLAGS = CROSS_CHANNEL | MANAGED_SEND | MANAGED_RECV;

  private CrossChannel() {}

  static void set(View qpc, int flags) {
    qpc.set(Qpc.CD_MASTER, (flags & CROSS_CHANNEL) != 0)
        .set(Qpc.CD_SLAVE_SEND, (flags & MANAGED_SEND) != 0)
        .set(Qpc.CD_SLAVE_RECEIVE, (flags & MANAGED_RECV) != 0);
  }
}
