package dev.bluebell.hca.uverbs;


/**
 * MLX5_IB_METHOD_PD_QUERY: the number of a PD on the device. Mirrors {@code
 * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_query_pd_attrs}.
 */
public final class QueryPdAttrs {
  private static final Method.Definition D =
      Method.define(IoctlObject.PD, "MLX5_IB_METHOD_PD_QUERY", 0x1000);

  public static final Attribute HANDLE = D.attribute("MLX5_IB_ATTR_QUERY_PD_HANDLE", 0x1000);
  public static final Attribute RESP_PDN = D.attribute("MLX5_IB_ATTR_QUERY_PD_RESP_PDN", 0x1001);

  public static final Method METHOD = D.method();

  private QueryPdAttrs() {}
}
