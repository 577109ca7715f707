package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * The start of an answer in a file of DevX; the output of the command follows. Mirrors {@code
 * rdma/mlx5_user_ioctl_verbs.h: mlx5_ib_uapi_devx_async_cmd_hdr}.
 */
public final class Mlx5DevxAsyncCmdHdr {
  private static final Structure.Definition D =
      Structure.littleEndian("mlx5_ib_uapi_devx_async_cmd_hdr", 8);

  public static final Field WR_ID = D.u64("wr_id", 0);

  public static final Structure STRUCTURE = D.structure();

  private Mlx5DevxAsyncCmdHdr() {}
}
