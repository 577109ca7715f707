package dev.bluebell.hca.uverbs;


/**
 * MLX5_IB_METHOD_UAR_OBJ_ALLOC: allocating a UAR page. Mirrors {@code rdma/mlx5_user_ioctl_cmds.h:
 * mlx5_ib_uar_alloc_attrs}.
 */
public final class UarObjAllocAttrs {
  private static final Method.Definition D =
      Method.define(IoctlObject.UAR, "MLX5_IB_METHOD_UAR_OBJ_ALLOC", 0x1000);

  public static final Attribute HANDLE = D.attribute("MLX5_IB_ATTR_UAR_OBJ_ALLOC_HANDLE", 0x1000);
  public static final Attribute TYPE = D.attribute("MLX5_IB_ATTR_UAR_OBJ_ALLOC_TYPE", 0x1001);
  public static final Attribute MMAP_OFFSET =
      D.attribute("MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_OFFSET", 0x1002);
  public static final Attribute MMAP_LENGTH =
      D.attribute("MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_LENGTH", 0x1003);
  public static final Attribute PAGE_ID = D.attribute("MLX5_IB_ATTR_UAR_OBJ_ALLOC_PAGE_ID", 0x1004);

  public static final Method METHOD = D.method();

  private UarObjAllocAttrs() {}
}
