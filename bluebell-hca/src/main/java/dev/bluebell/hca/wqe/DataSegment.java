package dev.bluebell.hca.wqe;

import dev.bluebell.hca.structure.Field;

/**
 * Pointer to local memory, 16 bytes, in send and receive entries. Mirrors {@code mlx5dv.h:
 * mlx5_wqe_data_seg}.
 */
public final class DataSegment {
  public static final int BYTES = 16;

  /** Length in bytes; 0 means 2 GiB. The bit before it is 0. */
  public static final Field BYTE_COUNT = new Field("byte_count", 1, 31);

  /** Key of the memory that the address is in. */
  public static final Field LKEY = new Field("lkey", 32, 32);

  public static final Field ADDRESS = new Field("address", 64, 64);

  /**
   * Ends a scatter list that is shorter than the entry, with byte count and address 0: {@code
   * mlx5dv.h: MLX5_INVALID_LKEY}.
   */
  public static final int INVALID_LKEY = 0x100;

  /** Length in bytes for a byte count of 0. */
  public static final long ZERO_LENGTH = 1L << 31;

  private DataSegment() {}

  /** Bytes 0–7: byte count (bit 31 clear) and lkey. Bytes 8–15 are the address itself. */
  public static long first(int byteCount, int lkey) {
    return (long) byteCount << 32 | lkey & 0xffffffffL;
  }

  /** The raw byte count; negative for the header of an inline segment. */
  public static int byteCount(long first) {
    return (int) (first >>> 32);
  }

  /** Length of a pointer in bytes: its byte count, or 2 GiB for 0, as in OFED's {@code odp.c}. */
  public static long length(long first) {
    int count = byteCount(first);
    return count == 0 ? ZERO_LENGTH : count;
  }

  /** Key of the memory that the address is in. */
  public static int lkey(long first) {
    return LKEY.getInt(first);
  }

  /** True for the header of an inline segment, which has bit 31 set. */
  public static boolean isInline(long first) {
    return first < 0;
  }
}
