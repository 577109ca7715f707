package dev.bluebell.hca.wqe;

import dev.bluebell.hca.command.Field;

/**
 * Change of the list of tags of a shared receive queue, 32 bytes; a data segment follows. Mirrors
 * {@code wqe.h: mlx5_wqe_tm_seg}.
 */
public final class TagMatchingSegment {
  public static final int BYTES = 32;

  /** 0 NOP, 1 APPEND, 2 REMOVE. */
  public static final Field OPCODE = new Field("opcode", 0, 4);

  public static final Field FLAGS = new Field("flags", 8, 8);

  /** APPEND: index of the next free entry of the list; REMOVE: the entry. */
  public static final Field INDEX = new Field("index", 16, 16);

  /** Unexpected messages that the program has consumed. */
  public static final Field SW_CNT = new Field("sw_cnt", 48, 16);

  public static final Field APPEND_TAG = new Field("append_tag", 128, 64);
  public static final Field APPEND_MASK = new Field("append_mask", 192, 64);

  private TagMatchingSegment() {}
}
