package dev.bluebell.hca.wqe;

/**
 * The 16 bytes that every send work queue entry starts with. Mirrors {@code mlx5dv.h:
 * mlx5_wqe_ctrl_seg}.
 *
 * <p>The segment is two big-endian 8-byte words, composed and taken apart here as {@code long}
 * values: {@code first} holds opmod, WQE index, opcode, QPN and ds; {@code second} holds signature,
 * stream id, fence/CE/SE and the immediate.
 */
public final class ControlSegment {
  /** Size of the segment in bytes; also the unit ("DS") in which {@code ds} counts. */
  public static final int BYTES = 16;

  /** Size of a work queue basic block, {@code mlx5dv.h: MLX5_SEND_WQE_BB}. */
  public static final int WQEBB_BYTES = 64;

  /** Largest value of the 6-bit {@code ds} field. */
  public static final int MAX_DS = 63;

  /** fm_ce_se: solicited event, {@code mlx5dv.h: MLX5_WQE_CTRL_SOLICITED}. */
  public static final int SOLICITED = 0x02;

  /** fm_ce_se: mask of the two completion bits. */
  public static final int CE_MASK = 0x0c;

  /** Completion mode 0: a CQE only when the request fails. */
  public static final int CE_ON_ERROR = 0x00;

  /** Completion mode 1: a CQE only for the first error of the queue. */
  public static final int CE_ON_FIRST_ERROR = 0x04;

  /** Completion mode 2: always a CQE, {@code mlx5dv.h: MLX5_WQE_CTRL_CQ_UPDATE}. */
  public static final int CE_ALWAYS = 0x08;

  /** Completion mode 3: always a CQE and an event. */
  public static final int CE_ALWAYS_EVENT = 0x0c;

  /** fm_ce_se: mask of the three fence bits. */
  public static final int FENCE_MASK = 0xe0;

  /**
   * Fence mode 1, {@code MLX5_WQE_CTRL_INITIATOR_SMALL_FENCE}: wait for earlier local work (UMR).
   */
  public static final int FENCE_SMALL = 0x20;

  /** Fence mode 2, {@code MLX5_WQE_CTRL_FENCE}: wait for earlier READs and atomics. */
  public static final int FENCE = 0x40;

  /** Fence mode 3, {@code MLX5_FENCE_MODE_STRONG_ORDERING}: wait for everything earlier. */
  public static final int FENCE_STRONG = 0x60;

  /**
   * Fence mode 4, {@code MLX5_FENCE_MODE_SMALL_AND_FENCE}: what rdma-core writes for
   * IBV_SEND_FENCE.
   */
  public static final int FENCE_SMALL_AND_FENCE = 0x80;

  private ControlSegment() {}

  /**
   * Bytes 0–7: {@code opmod_idx_opcode} and {@code qpn_ds}; every argument is masked to its field.
   */
  public static long first(int opmod, int wqeIndex, int opcode, int qpn, int ds) {
    int high = opmod << 24 | (wqeIndex & 0xffff) << 8 | opcode & 0xff;
    int low = qpn << 8 | ds & 0x3f;
    return (long) high << 32 | low & 0xffffffffL;
  }

  /**
   * Bytes 8–15: signature 0, stream 0, {@code fm_ce_se} and the immediate (its 4 bytes in wire
   * order as a big-endian int).
   */
  public static long second(int fmCeSe, int immediate) {
    return (long) (fmCeSe & 0xff) << 32 | immediate & 0xffffffffL;
  }

  /** Opcode modifier, 8 bits; 0 for the requests of reliable connections. */
  public static int opmod(long first) {
    return (int) (first >>> 56);
  }

  /** Index of the entry's first WQEBB, 16 bits, counted since the queue's reset. */
  public static int wqeIndex(long first) {
    return (int) (first >>> 40) & 0xffff;
  }

  /** See {@link WqeOpcode}. */
  public static int opcode(long first) {
    return (int) (first >>> 32) & 0xff;
  }

  /** Number of the queue pair that the entry belongs to, 24 bits. */
  public static int qpn(long first) {
    return (int) first >>> 8;
  }

  /**
   * Length of the entry in units of 16 bytes, this segment included: the 6 bits that hardware uses.
   */
  public static int ds(long first) {
    return (int) first & 0x3f;
  }

  /** Signature of the entry, 8 bits; 0 when signatures are off. */
  public static int signature(long second) {
    return (int) (second >>> 56);
  }

  /** DCI stream, {@code dci_stream_channel_id}; 0 elsewhere. */
  public static int stream(long second) {
    return (int) (second >>> 40) & 0xffff;
  }

  /** Fence, completion mode and solicited event, 8 bits. */
  public static int fmCeSe(long second) {
    return (int) (second >>> 32) & 0xff;
  }

  /** Bytes 12–15: immediate, rkey to invalidate or current mkey, by opcode. */
  public static int immediate(long second) {
    return (int) second;
  }

  /** WQEBBs that an entry of {@code ds} units takes: {@code ceil(ds / 4)}. */
  public static int wqebbs(int ds) {
    return (ds + 3) >>> 2;
  }
}
