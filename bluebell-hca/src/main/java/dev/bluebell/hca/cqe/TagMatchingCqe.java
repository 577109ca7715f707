package dev.bluebell.hca.cqe;

import dev.bluebell.hca.structure.Field;

/**
 * Fields of a completion of tag matching, in addition to those of {@link Cqe}. Mirrors {@code
 * mlx5dv.h: mlx5_tm_cqe}, and {@code verbs.h: ibv_tmh} for messages.
 */
public final class TagMatchingCqe {
  /** A change of the list succeeded. */
  public static final Field SUCCESS = new Field("success", 0, 1);

  public static final Field HW_PHASE_CNT = new Field("hw_phase_cnt", 32, 16);

  /** The message's own header: operation. */
  public static final Field TMH_OPCODE = new Field("tmh_opcode", 0, 8);

  public static final Field TMH_APP_CTX = new Field("tmh_app_ctx", 32, 32);
  public static final Field TMH_TAG = new Field("tmh_tag", 64, 64);

  // app_op, providers/mlx5/cq.c: MLX5_CQE_APP_OP_TM_*.

  /** A message matched an entry; a later completion reports its arrival. */
  public static final int CONSUMED = 0x1;

  /** The message whose entry was {@link #CONSUMED} has arrived completely. */
  public static final int EXPECTED = 0x2;

  /** No entry matches the message; it is in a receive WQE, header first. */
  public static final int UNEXPECTED = 0x3;

  /** The message has no tag; it is in a receive WQE, header first. */
  public static final int NO_TAG = 0x4;

  public static final int APPEND = 0x5;
  public static final int REMOVE = 0x6;
  public static final int NOOP = 0x7;

  /** As {@link #CONSUMED}; software must perform the rendezvous. */
  public static final int CONSUMED_SW_RNDV = 0x9;

  /** A message matched an entry and has arrived completely. */
  public static final int CONSUMED_MSG = 0xa;

  /**
   * A rendezvous request matched an entry and is in its memory; software must perform the
   * rendezvous.
   */
  public static final int CONSUMED_MSG_SW_RNDV = 0xb;

  /** The message for an entry will not arrive. */
  public static final int MSG_COMPLETION_CANCELED = 0xc;

  private TagMatchingCqe() {}

  /**
   * Bytes 40–47.
   *
   * @param operation app_op, one of the constants here
   * @param entry app_info: entry of the list of tags
   */
  public static long word(int operation, int entry, int byteCount) {
    return Cqe.APP.place(Cqe.APP_TAG_MATCHING)
        | Cqe.APP_OP.place(operation)
        | Cqe.APP_INFO.place(entry)
        | Cqe.BYTE_CNT.place(byteCount);
  }
}
