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

  /** Maximum number of rows, and of columns. */
  public static final int MAX_ROWS = 64;

  public static final int MAX_ELEMENT_BYTES = 128;

  /** Size of the hardware's buffer, in bytes. */
  public static final int BUFFER_BYTES = 8 << 10;

  /** Minimum number of bytes of a row in the buffer. */
  public static final int MIN_ROW_BYTES = 128;

  /** Minimum number of bytes of an element in the buffer. */
  public static final int MIN_ELEMENT_BYTES = 8;

  private TransposeSegment() {}

  /** True for a matrix within the limits of the hardware: it has elements, and fits the buffer. */
  public static boolean isExecuted(int rows, int columns, int element) {
    return rows > 0
        && rows <= MAX_ROWS
        && columns > 0
        && columns <= MAX_ROWS
        && element > 0
        && element <= MAX_ELEMENT_BYTES
        && bufferBytes(rows, columns, element) <= BUFFER_BYTES;
  }

  private static int bufferBytes(int rows, int columns, int element) {
    int row = powerOfTwo(columns) * powerOfTwo(Math.max(element, MIN_ELEMENT_BYTES));
    return rows * Math.max(MIN_ROW_BYTES, row);
  }

  private static int powerOfTwo(int atLeast) {
    return atLeast == 1 ? 1 : Integer.highestOneBit(atLeast - 1) << 1;
  }
}
