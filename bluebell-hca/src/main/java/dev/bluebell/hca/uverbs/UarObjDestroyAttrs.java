package dev.bluebell.hca.uverbs;


/**
 * MLX5_IB_METHOD_UAR_OBJ_DESTROY: freeing a UAR page. Mirrors {@code rdma/mlx5_user_ioctl_cmds.h:
 * mlx5_ib_uar_obj_destroy_attrs}.
 */
public final class UarObjDestroyAttrs {
  private static final Method.Definition D =
      Method.define(IoctlObject.UAR, "MLX5_IB_METHOD_UAR_OBJ_DESTROY", 0x1001);

  public static final Attribute HANDLE = D.attribute("MLX5_IB_ATTR_UAR_OBJ_DESTROY_HANDLE", 0x1000);

  public static final Method METHOD = D.method();

  private UarObjDestroyAttrs() {}
}
