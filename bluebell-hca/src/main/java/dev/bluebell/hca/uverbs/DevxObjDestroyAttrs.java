package dev.bluebell.hca.uverbs;


/**
 * MLX5_IB_METHOD_DEVX_OBJ_DESTROY: destroying an object that a command created. Mirrors {@code
 * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_devx_obj_destroy_attrs}.
 */
public final class DevxObjDestroyAttrs {
  private static final Method.Definition D =
      Method.define(IoctlObject.DEVX_OBJ, "MLX5_IB_METHOD_DEVX_OBJ_DESTROY", 0x1001);

  public static final Attribute HANDLE =
      D.attribute("MLX5_IB_ATTR_DEVX_OBJ_DESTROY_HANDLE", 0x1000);

  public static final Method METHOD = D.method();

  private DevxObjDestroyAttrs() {}
}
