package dev.bluebell.hca.uverbs;


/**
 * UVERBS_METHOD_DM_ALLOC: allocating device memory. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
 * uverbs_attrs_alloc_dm_cmd_attr_ids} and {@code rdma/mlx5_user_ioctl_cmds.h:
 * mlx5_ib_alloc_dm_attrs}.
 */
public final class AllocDmAttrs {
  private static final Method.Definition D =
      Method.define(IoctlObject.DM, "UVERBS_METHOD_DM_ALLOC", 0);

  public static final Attribute HANDLE = D.attribute("UVERBS_ATTR_ALLOC_DM_HANDLE", 0);
  public static final Attribute LENGTH = D.attribute("UVERBS_ATTR_ALLOC_DM_LENGTH", 1);
  public static final Attribute ALIGNMENT = D.attribute("UVERBS_ATTR_ALLOC_DM_ALIGNMENT", 2);
  public static final Attribute RESP_START_OFFSET =
      D.attribute("MLX5_IB_ATTR_ALLOC_DM_RESP_START_OFFSET", 0x1000);
  public static final Attribute RESP_PAGE_INDEX =
      D.attribute("MLX5_IB_ATTR_ALLOC_DM_RESP_PAGE_INDEX", 0x1001);
  public static final Attribute REQ_TYPE = D.attribute("MLX5_IB_ATTR_ALLOC_DM_REQ_TYPE", 0x1002);

  public static final Method METHOD = D.method();

  private AllocDmAttrs() {}
}
