package dev.bluebell.hca.cqe;

import dev.bluebell.hca.structure.Field;

/**
 * What a completion of tag matching has besides the fields of {@link Cqe}. Mirrors {@code mlx5dv.h:
 * mlx5_tm_cqe}, and {@code verbs.h: ibv_tmh} for messages.
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

  /** A message took an entry; what arrives of it is told later. */
  public static final int CONSUMED = 0x1;

  /** All of the message whose entry was {@link #CONSUMED} has arrived. */
  public static final int EXPECTED = 0x2;

  /** No entry fits the message; it is in a receive WQE, its header first. */
  public static final int UNEXPECTED = 0x3;

  /** The message has no tag; it is in a receive WQE, its header first. */
  public static final int NO_TAG = 0x4;

  public static final int APPEND = 0x5;
  public static final int REMOVE = 0x6;
  public static final int NOOP = 0x7;

  /** As {@link #CONSUMED}; software must do the rendezvous. */
  public static final int CONSUMED_SW_RNDV = 0x9;

  /** A message took an entry, and all of it has arrived. */
  public static final int CONSUMED_MSG = 0xa;

  /** A request for a rendezvous took an entry, and lies in its memory for software to do. */
  public static final int CONSUMED_MSG_SW_RNDV = 0xb;

  /** What was to arrive for an entry does not. */
  public static final int MSG_COMPLETION_CANCELED = 0xc;

  private TagMatchingCqe() {}

  /**
   * Bytes 40–47.
   *
   * @param operation app_op, one of the constants here
   * @param entry app_info: of the list of tags
   */
  public static long word(int operation, int entry, int byteCount) {
    return Cqe.APP.place(Cqe.APP_TAG_MATCHING)
        | Cqe.APP_OP.place(operation)
        | Cqe.APP_INFO.place(entry)
        | Cqe.BYTE_CNT.place(byteCount);
  }
}
