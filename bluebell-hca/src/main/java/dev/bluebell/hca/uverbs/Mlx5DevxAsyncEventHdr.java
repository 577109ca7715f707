package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * The start of an event in a file of DevX; the event queue entry may follow. Mirrors {@code
 * rdma/mlx5_user_ioctl_verbs.h: mlx5_ib_uapi_devx_async_event_hdr}.
 */
public final class Mlx5DevxAsyncEventHdr {
  private static final Structure.Definition D =
      Structure.littleEndian("mlx5_ib_uapi_devx_async_event_hdr", 8);

  public static final Field COOKIE = D.u64("cookie", 0);

  public static final Structure STRUCTURE = D.structure();

  private Mlx5DevxAsyncEventHdr() {}
}
