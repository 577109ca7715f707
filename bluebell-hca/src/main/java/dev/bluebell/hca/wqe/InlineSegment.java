package dev.bluebell.hca.wqe;

import dev.bluebell.hca.structure.Field;

/**
 * Data inside the entry: a 4-byte header, the bytes, padding to 16. Mirrors {@code mlx5dv.h:
 * mlx5_wqe_inline_seg}.
 */
public final class InlineSegment {
  public static final int HEADER_BYTES = 4;

  /** Distinguishes an inline segment from a pointer, see {@link #FLAG}. */
  public static final Field INLINE = new Field("inline", 0, 1);

  /** Bytes of data. */
  public static final Field LENGTH = new Field("length", 22, 10);

  /**
   * {@code mlx5dv.h: MLX5_INLINE_SEG}: the bit that distinguishes an inline segment from a pointer.
   */
  public static final int FLAG = 0x80000000;

  /** Bits of the header that hold the length. */
  public static final int LENGTH_MASK = 0x3ff;

  private InlineSegment() {}

  /** The 4 bytes before the data; {@code length} is 0–1023 bytes. */
  public static int header(int length) {
    return FLAG | length;
  }

  /** Bytes of data behind a header, 0–1023. */
  public static int length(int header) {
    return header & LENGTH_MASK;
  }

  /** Units of 16 bytes that a segment with {@code length} bytes of data takes. */
  public static int ds(int length) {
    return (HEADER_BYTES + length + 15) >>> 4;
  }
}
