package dev.bluebell.hca.uverbs;


/**
 * MLX5_IB_METHOD_DEVX_OTHER: a command that belongs to no object. Mirrors {@code
 * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_devx_other_attrs}.
 */
public final class DevxOtherAttrs {
  private static final Method.Definition D =
      Method.define(IoctlObject.DEVX, "MLX5_IB_METHOD_DEVX_OTHER", 0x1000);

  public static final Attribute CMD_IN = D.attribute("MLX5_IB_ATTR_DEVX_OTHER_CMD_IN", 0x1000);
  public static final Attribute CMD_OUT = D.attribute("MLX5_IB_ATTR_DEVX_OTHER_CMD_OUT", 0x1001);

  public static final Method METHOD = D.method();

  private DevxOtherAttrs() {}
}
