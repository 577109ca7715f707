package dev.bluebell.hca.uverbs;


/**
 * MLX5_IB_METHOD_DEVX_OBJ_CREATE: a command that creates an object. Mirrors {@code
 * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_devx_obj_create_attrs}.
 */
public final class DevxObjCreateAttrs {
  private static final Method.Definition D =
      Method.define(IoctlObject.DEVX_OBJ, "MLX5_IB_METHOD_DEVX_OBJ_CREATE", 0x1000);

  public static final Attribute HANDLE = D.attribute("MLX5_IB_ATTR_DEVX_OBJ_CREATE_HANDLE", 0x1000);
  public static final Attribute CMD_IN = D.attribute("MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_IN", 0x1001);
  public static final Attribute CMD_OUT =
      D.attribute("MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_OUT", 0x1002);

  public static final Method METHOD = D.method();

  private DevxObjCreateAttrs() {}
}
