package dev.bluebell.hca.doorbell;

/**
 * Counters in host memory that tell the device how far a queue has been filled or emptied; 8 bytes
 * each, both words big-endian. Mirrors {@code mlx5dv.h: MLX5_RCV_DBR, MLX5_SND_DBR} and, for
 * completion queues, {@code mlx5dv_cq.dbrec}.
 */
public final class DoorbellRecord {
  /** Size of a record in bytes, and its alignment. */
  public static final int BYTES = 8;

  /** Size of the record of a receive pool, which is one counter, and its alignment. */
  public static final int POOL_BYTES = 4;

  /** Distance at which records are placed, so that no two share a cache line. */
  public static final int STRIDE = 64;

  /** Queue pair: offset of the receive producer counter (16 bits used). */
  public static final int RECEIVE = 0;

  /** Queue pair: offset of the send producer counter, in WQEBBs (16 bits used). */
  public static final int SEND = 4;

  /** Completion queue: offset of the consumer index (24 bits used). */
  public static final int CQ_SET_CI = 0;

  /** Completion queue: offset of the arm command. */
  public static final int CQ_ARM = 4;

  private DoorbellRecord() {}
}
