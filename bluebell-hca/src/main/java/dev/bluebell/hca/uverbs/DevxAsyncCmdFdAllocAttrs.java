package dev.bluebell.hca.uverbs;


/**
 * MLX5_IB_METHOD_DEVX_ASYNC_CMD_FD_ALLOC: opening a file for answers. Mirrors {@code
 * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_devx_async_cmd_fd_alloc_attrs}.
 */
public final class DevxAsyncCmdFdAllocAttrs {
  private static final Method.Definition D =
      Method.define(
          IoctlObject.DEVX_ASYNC_CMD_FD, "MLX5_IB_METHOD_DEVX_ASYNC_CMD_FD_ALLOC", 0x1000);

  public static final Attribute HANDLE =
      D.attribute("MLX5_IB_ATTR_DEVX_ASYNC_CMD_FD_ALLOC_HANDLE", 0x1000);

  public static final Method METHOD = D.method();

  private DevxAsyncCmdFdAllocAttrs() {}
}
