package dev.bluebell.hca.wqe;

import dev.bluebell.hca.structure.Field;

/**
 * Remote virtual address and key of RDMA and atomic requests, 16 bytes. Mirrors {@code mlx5dv.h:
 * mlx5_wqe_raddr_seg}.
 */
public final class RemoteAddressSegment {
  public static final int BYTES = 16;

  public static final Field ADDRESS = new Field("address", 0, 64);

  /** Key of the remote memory. */
  public static final Field RKEY = new Field("rkey", 64, 32);

  private RemoteAddressSegment() {}

  /** Bytes 8–15: the key, then 4 reserved bytes. Bytes 0–7 are the address itself. */
  public static long second(int rkey) {
    return RKEY.place(rkey);
  }

  /** Key of the remote memory. */
  public static int rkey(long second) {
    return RKEY.getInt(second);
  }
}
