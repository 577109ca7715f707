package dev.bluebell.hca.wqe;

import dev.bluebell.hca.structure.Field;

/**
 * The matrix that LOCAL_MMO with opmod 0 transposes, 16 bytes. Mirrors {@code tl_mlx5_wqe.c:
 * transpose_seg_t} of UCC.
 */
public final class TransposeSegment {
  public static final int BYTES = 16;

  /** Bytes of an element. */
  public static final Field ELEMENT_SIZE = new Field("element_size", 0, 32);

  /** Elements of a row of the source; rows of the result. */
  public static final Field COLUMNS = new Field("num_cols", 32, 16);

  /** Rows of the source. */
  public static final Field ROWS = new Field("num_rows", 48, 16);

  private TransposeSegment() {}
}
