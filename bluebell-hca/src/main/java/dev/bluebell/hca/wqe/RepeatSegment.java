package dev.bluebell.hca.wqe;

import dev.bluebell.hca.structure.Field;

/**
 * Head of an interleaved translation, which takes pieces of several keys in turns, 16 bytes; {@code
 * num_ent} of {@link RepeatEntry} follow. Mirrors {@code mlx5dv.h: mlx5_wqe_umr_repeat_block_seg}.
 */
public final class RepeatSegment {
  public static final int BYTES = 16;

  /** Bytes of one turn. */
  public static final Field BYTE_COUNT = new Field("byte_count", 0, 32);

  /** {@link #OPERATION}. */
  public static final Field OP = new Field("op", 32, 32);

  public static final Field REPEAT_COUNT = new Field("repeat_count", 64, 32);
  public static final Field NUM_ENT = new Field("num_ent", 112, 16);

  /**
   * Distinguishes the segment from a {@link dev.bluebell.hca.command.MemoryCommands.Klm}: no key
   * has this number.
   */
  public static final int OPERATION = 0x400;

  private RepeatSegment() {}
}
