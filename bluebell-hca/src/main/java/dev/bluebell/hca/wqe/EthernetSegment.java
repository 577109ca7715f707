package dev.bluebell.hca.wqe;

import dev.bluebell.hca.structure.Field;

/**
 * The offloads of a raw packet, which the device applies, 16 bytes; the rest of an inlined header
 * follows, in whole units of 16 bytes. Mirrors {@code mlx5dv.h: mlx5_wqe_eth_seg}.
 */
public final class EthernetSegment {
  public static final int BYTES = 16;

  /** Offsets of the headers for checksums, as the client parsed them, in units of 2 bytes. */
  public static final Field SWP_OFFSETS = new Field("swp_offsets", 0, 32);

  /** Which checksums the device computes, {@code mlx5dv.h: MLX5_ETH_WQE_L3_CSUM} and its like. */
  public static final Field CS_FLAGS = new Field("cs_flags", 32, 8);

  public static final Field SWP_FLAGS = new Field("swp_flags", 40, 8);

  /** Maximum segment size of a TSO request, in bytes. */
  public static final Field MSS = new Field("mss", 48, 16);

  public static final Field FLOW_TABLE_METADATA = new Field("flow_table_metadata", 64, 32);

  /** Bytes of the packet's header that are inlined. */
  public static final Field INLINE_HDR_SZ = new Field("inline_hdr_sz", 96, 16);

  /** The first two of those bytes. */
  public static final Field INLINE_HDR_START = new Field("inline_hdr_start", 112, 16);

  /** Bytes of an inlined header that are in the segment itself. */
  public static final int INLINE_HDR_START_BYTES = 2;

  /**
   * Bytes that an inlined header takes behind the segment, in whole units of 16.
   *
   * @param size of the header in bytes, 0–65535; a header shorter than a unit takes none
   */
  public static int inlineBytes(int size) {
    return size < BYTES ? 0 : size - INLINE_HDR_START_BYTES + BYTES - 1 & -BYTES;
  }

  private EthernetSegment() {}
}
