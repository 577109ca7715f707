package dev.bluebell.hca.uverbs;


/**
 * UVERBS_METHOD_QUERY_CONTEXT: what is known of an open context. Mirrors {@code
 * rdma/ib_user_ioctl_cmds.h: uverbs_attrs_query_context_attr_ids} and {@code
 * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_device_query_context_attrs}.
 */
public final class QueryContextAttrs {
  private static final Method.Definition D =
      Method.define(IoctlObject.DEVICE, "UVERBS_METHOD_QUERY_CONTEXT", 4);

  public static final Attribute NUM_COMP_VECTORS =
      D.attribute("UVERBS_ATTR_QUERY_CONTEXT_NUM_COMP_VECTORS", 0);
  public static final Attribute CORE_SUPPORT =
      D.attribute("UVERBS_ATTR_QUERY_CONTEXT_CORE_SUPPORT", 1);
  public static final Attribute RESP_UCTX =
      D.attribute("MLX5_IB_ATTR_QUERY_CONTEXT_RESP_UCTX", 0x1000);

  public static final Method METHOD = D.method();

  private QueryContextAttrs() {}
}
