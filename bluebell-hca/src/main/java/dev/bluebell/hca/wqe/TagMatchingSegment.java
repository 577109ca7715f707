package dev.bluebell.hca.wqe;

import dev.bluebell.hca.structure.Field;

/**
 * Change of the list of tags of a shared receive queue, 32 bytes; a data segment follows. Mirrors
 * {@code wqe.h: mlx5_wqe_tm_seg}.
 */
public final class TagMatchingSegment {
  public static final int BYTES = 32;

  /** One of the constants here. */
  public static final Field OPCODE = new Field("opcode", 0, 4);

  /** {@link #CQE_REQ} and {@link #SW_CNT_VALID}. */
  public static final Field FLAGS = new Field("flags", 8, 8);

  /** APPEND: index of the next free entry of the list; REMOVE: the entry. */
  public static final Field INDEX = new Field("index", 16, 16);

  /** Number of unexpected messages that the application has handled. */
  public static final Field SW_CNT = new Field("sw_cnt", 48, 16);

  public static final Field APPEND_TAG = new Field("append_tag", 128, 64);
  public static final Field APPEND_MASK = new Field("append_mask", 192, 64);

  /** opcode: changes only the count, see {@link #SW_CNT}. */
  public static final int NOP = 0;

  /** opcode: appends an entry; its data segment follows. */
  public static final int APPEND = 1;

  /** opcode: takes an entry out. */
  public static final int REMOVE = 2;

  /** flags: generates a CQE, {@code wqe.h: MLX5_SRQ_FLAG_TM_CQE_REQ}. */
  public static final int CQE_REQ = 1 << 7;

  /** flags: {@link #SW_CNT} is valid, {@code wqe.h: MLX5_SRQ_FLAG_TM_SW_CNT}. */
  public static final int SW_CNT_VALID = 1 << 6;

  private TagMatchingSegment() {}
}
