package dev.bluebell.hca.wqe;

import dev.bluebell.hca.structure.Field;
import org.jspecify.annotations.Nullable;

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

  /** Binary logarithm of {@link #WQEBB_BYTES}, {@code mlx5dv.h: MLX5_SEND_WQE_SHIFT}. */
  public static final int LOG_WQEBB_BYTES = 6;

  /** Size of a work queue basic block, {@code mlx5dv.h: MLX5_SEND_WQE_BB}. */
  public static final int WQEBB_BYTES = 1 << LOG_WQEBB_BYTES;

  /** Largest value of the 6-bit {@code ds} field. */
  public static final int MAX_DS = 63;

  /** Opcode modifier; 0 for the requests of reliable connections. */
  public static final Field OPMOD = new Field("opmod", 0, 8);

  /** Index of the entry's first WQEBB, counted since the queue's reset. */
  public static final Field INDEX = new Field("index", 8, 16);

  /** See {@link WqeOpcode}. */
  public static final Field OPCODE = new Field("opcode", 24, 8);

  /** Number of the queue pair that the entry belongs to. */
  public static final Field QPN = new Field("qpn", 32, 24);

  /** Length of the entry in units of 16 bytes, this segment included: the bits hardware uses. */
  public static final Field DS = new Field("ds", 58, 6);

  /** Signature of the entry; 0 when signatures are off. */
  public static final Field SIGNATURE = new Field("signature", 64, 8);

  /** DCI stream, {@code dci_stream_channel_id}; 0 elsewhere. */
  public static final Field STREAM = new Field("stream", 72, 16);

  /** Fence, completion mode and solicited event together. */
  public static final Field FM_CE_SE = new Field("fm_ce_se", 88, 8);

  /** Fence mode: the constants {@code FENCE_*} without their shift. */
  public static final Field FENCE_MODE = new Field("fence", 88, 3);

  /** Completion mode: the constants {@code CE_*} without their shift. */
  public static final Field COMPLETION_MODE = new Field("ce", 92, 2);

  /** Asks for an event at the receiver. */
  public static final Field SOLICITED_EVENT = new Field("solicited", 94, 1);

  /** Immediate, its 4 bytes in wire order as a big-endian int. */
  public static final Field IMM = new Field("imm", 96, 32);

  /** Remote key to invalidate. */
  public static final Field INV_KEY = IMM.named("inv_key");

  /** Current number of the memory key that a UMR changes. */
  public static final Field UMR_MKEY = IMM.named("umr_mkey");

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
    return OPMOD.place(opmod)
        | INDEX.place(wqeIndex)
        | OPCODE.place(opcode)
        | QPN.place(qpn)
        | DS.place(ds);
  }

  /**
   * Bytes 8–15: signature 0, stream 0, {@code fm_ce_se} and the immediate (its 4 bytes in wire
   * order as a big-endian int).
   */
  public static long second(int fmCeSe, int immediate) {
    return FM_CE_SE.place(fmCeSe) | IMM.place(immediate);
  }

  /** The stream at its position in bytes 8–15, with all other bits 0. */
  public static long streamBits(int number) {
    return STREAM.place(number);
  }

  /** The field in bytes 12–15 for an opcode; null where they are unused. */
  public static @Nullable Field argument(int opcode) {
    return switch (opcode) {
      case WqeOpcode.SEND_IMM, WqeOpcode.RDMA_WRITE_IMM -> IMM;
      case WqeOpcode.SEND_INVAL -> INV_KEY;
      case WqeOpcode.UMR -> UMR_MKEY;
      default -> null;
    };
  }

  /** Opcode modifier, 8 bits; 0 for the requests of reliable connections. */
  public static int opmod(long first) {
    return OPMOD.getInt(first);
  }

  /** Index of the entry's first WQEBB, 16 bits, counted since the queue's reset. */
  public static int wqeIndex(long first) {
    return INDEX.getInt(first);
  }

  /** See {@link WqeOpcode}. */
  public static int opcode(long first) {
    return OPCODE.getInt(first);
  }

  /** Number of the queue pair that the entry belongs to, 24 bits. */
  public static int qpn(long first) {
    return QPN.getInt(first);
  }

  /**
   * Length of the entry in units of 16 bytes, this segment included: the 6 bits that hardware uses.
   */
  public static int ds(long first) {
    return DS.getInt(first);
  }

  /** Signature of the entry, 8 bits; 0 when signatures are off. */
  public static int signature(long second) {
    return SIGNATURE.getInt(second);
  }

  /** DCI stream, {@code dci_stream_channel_id}; 0 elsewhere. */
  public static int stream(long second) {
    return STREAM.getInt(second);
  }

  /** Fence, completion mode and solicited event, 8 bits. */
  public static int fmCeSe(long second) {
    return FM_CE_SE.getInt(second);
  }

  /** Bytes 12–15: immediate, rkey to invalidate or current mkey, by opcode. */
  public static int immediate(long second) {
    return IMM.getInt(second);
  }

  /** WQEBBs that an entry of {@code ds} units takes: {@code ceil(ds / 4)}. */
  public static int wqebbs(int ds) {
    return (ds + 3) >>> 2;
  }
}
