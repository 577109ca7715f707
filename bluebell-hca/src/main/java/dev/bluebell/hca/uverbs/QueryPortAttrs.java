package dev.bluebell.hca.uverbs;


/**
 * UVERBS_METHOD_QUERY_PORT: the state of a port. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
 * uverbs_attrs_query_port_cmd_attr_ids}.
 */
public final class QueryPortAttrs {
  private static final Method.Definition D =
      Method.define(IoctlObject.DEVICE, "UVERBS_METHOD_QUERY_PORT", 2);

  public static final Attribute PORT_NUM = D.attribute("UVERBS_ATTR_QUERY_PORT_PORT_NUM", 0);
  public static final Attribute RESP = D.attribute("UVERBS_ATTR_QUERY_PORT_RESP", 1);

  public static final Method METHOD = D.method();

  private QueryPortAttrs() {}
}
