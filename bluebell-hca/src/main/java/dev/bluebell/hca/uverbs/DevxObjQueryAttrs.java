package dev.bluebell.hca.uverbs;


/**
 * MLX5_IB_METHOD_DEVX_OBJ_QUERY: a command that queries an object. Mirrors {@code
 * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_devx_obj_query_attrs}.
 */
public final class DevxObjQueryAttrs {
  private static final Method.Definition D =
      Method.define(IoctlObject.DEVX_OBJ, "MLX5_IB_METHOD_DEVX_OBJ_QUERY", 0x1003);

  public static final Attribute HANDLE = D.attribute("MLX5_IB_ATTR_DEVX_OBJ_QUERY_HANDLE", 0x1000);
  public static final Attribute CMD_IN = D.attribute("MLX5_IB_ATTR_DEVX_OBJ_QUERY_CMD_IN", 0x1001);
  public static final Attribute CMD_OUT =
      D.attribute("MLX5_IB_ATTR_DEVX_OBJ_QUERY_CMD_OUT", 0x1002);

  public static final Method METHOD = D.method();

  private DevxObjQueryAttrs() {}
}
