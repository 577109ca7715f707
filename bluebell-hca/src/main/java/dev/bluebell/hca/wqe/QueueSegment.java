package dev.bluebell.hca.wqe;

import dev.bluebell.hca.structure.Field;

/**
 * The queue and the index of WAIT, SEND_EN and RECV_EN, 16 bytes. Mirrors {@code mlx5_prm.h:
 * mlx5_wqe_qseg} of DPDK.
 */
public final class QueueSegment {
  public static final int BYTES = 16;

  /** SEND_EN and RECV_EN: exclusive index up to which the queue may execute. */
  public static final Field MAX_INDEX = new Field("max_index", 64, 32);

  /** WAIT: number of completions that must have arrived. */
  public static final Field PRODUCER_INDEX = MAX_INDEX.named("producer_index");

  /** SEND_EN and RECV_EN: number of the queue. */
  public static final Field QPN = new Field("qpn", 104, 24);

  /** WAIT: number of the completion queue. */
  public static final Field CQN = QPN.named("cqn");

  private QueueSegment() {}

  /** Bytes 8–15; bytes 0–7 are reserved. */
  public static long second(int index, int number) {
    return MAX_INDEX.place(index) | QPN.place(number);
  }
}
