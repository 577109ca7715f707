package dev.bluebell.hca.uverbs;


/**
 * MLX5_IB_METHOD_DM_QUERY: where device memory is mapped. Mirrors {@code
 * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_query_dm_attrs}.
 */
public final class QueryDmAttrs {
  private static final Method.Definition D =
      Method.define(IoctlObject.DM, "MLX5_IB_METHOD_DM_QUERY", 0x1001);

  public static final Attribute REQ_HANDLE =
      D.attribute("MLX5_IB_ATTR_QUERY_DM_REQ_HANDLE", 0x1000);
  public static final Attribute RESP_START_OFFSET =
      D.attribute("MLX5_IB_ATTR_QUERY_DM_RESP_START_OFFSET", 0x1001);
  public static final Attribute RESP_PAGE_INDEX =
      D.attribute("MLX5_IB_ATTR_QUERY_DM_RESP_PAGE_INDEX", 0x1002);
  public static final Attribute RESP_LENGTH =
      D.attribute("MLX5_IB_ATTR_QUERY_DM_RESP_LENGTH", 0x1003);

  public static final Method METHOD = D.method();

  private QueryDmAttrs() {}
}
