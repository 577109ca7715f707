package dev.bluebell.hca.uverbs;


/**
 * MLX5_IB_METHOD_DEVX_OBJ_ASYNC_QUERY: a query whose answer comes in a file. Mirrors {@code
 * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_devx_obj_query_async_attrs}.
 */
public final class DevxObjAsyncQueryAttrs {
  private static final Method.Definition D =
      Method.define(IoctlObject.DEVX_OBJ, "MLX5_IB_METHOD_DEVX_OBJ_ASYNC_QUERY", 0x1004);

  public static final Attribute HANDLE =
      D.attribute("MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_HANDLE", 0x1000);
  public static final Attribute CMD_IN =
      D.attribute("MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_CMD_IN", 0x1001);
  public static final Attribute FD = D.attribute("MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_FD", 0x1002);
  public static final Attribute WR_ID =
      D.attribute("MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_WR_ID", 0x1003);
  public static final Attribute OUT_LEN =
      D.attribute("MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_OUT_LEN", 0x1004);

  public static final Method METHOD = D.method();

  private DevxObjAsyncQueryAttrs() {}
}
