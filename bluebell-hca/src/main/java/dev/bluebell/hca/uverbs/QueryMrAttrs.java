package dev.bluebell.hca.uverbs;


/**
 * UVERBS_METHOD_QUERY_MR: what is known of an MR. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
 * uverbs_attrs_query_mr_cmd_attr_ids}.
 */
public final class QueryMrAttrs {
  private static final Method.Definition D =
      Method.define(IoctlObject.MR, "UVERBS_METHOD_QUERY_MR", 3);

  public static final Attribute HANDLE = D.attribute("UVERBS_ATTR_QUERY_MR_HANDLE", 0);
  public static final Attribute RESP_LKEY = D.attribute("UVERBS_ATTR_QUERY_MR_RESP_LKEY", 1);
  public static final Attribute RESP_RKEY = D.attribute("UVERBS_ATTR_QUERY_MR_RESP_RKEY", 2);
  public static final Attribute RESP_LENGTH = D.attribute("UVERBS_ATTR_QUERY_MR_RESP_LENGTH", 3);
  public static final Attribute RESP_IOVA = D.attribute("UVERBS_ATTR_QUERY_MR_RESP_IOVA", 4);

  public static final Method METHOD = D.method();

  private QueryMrAttrs() {}
}
