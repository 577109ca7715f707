package dev.bluebell.hca.wqe;

/**
 * Pointer to local memory, 16 bytes, in send and receive entries. Mirrors {@code mlx5dv.h:
 * mlx5_wqe_data_seg}.
 */
public final class DataSegment {
  public static final int BYTES = 16;

  /** Ends a scatter list that is shorter than the entry: {@code mlx5dv.h: MLX5_INVALID_LKEY}. */
  public static final int INVALID_LKEY = 0x100;

  private DataSegment() {}

  /** Bytes 0–7: byte count (bit 31 clear) and lkey. Bytes 8–15 are the address itself. */
  public static long first(int byteCount, int lkey) {
    return (long) byteCount << 32 | lkey & 0xffffffffL;
  }

  /** Length in bytes; negative for the header of an inline segment. */
  public static int byteCount(long first) {
    return (int) (first >>> 32);
  }

  /** Key of the memory that the address is in. */
  public static int lkey(long first) {
    return (int) first;
  }

  /** True for the header of an inline segment, whose bit 31 is set. */
  public static boolean isInline(long first) {
    return first < 0;
  }
}
