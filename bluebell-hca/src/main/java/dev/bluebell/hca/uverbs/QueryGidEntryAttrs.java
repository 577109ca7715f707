package dev.bluebell.hca.uverbs;


/**
 * UVERBS_METHOD_QUERY_GID_ENTRY: one GID. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
 * uverbs_attrs_query_gid_entry_cmd_attr_ids}.
 */
public final class QueryGidEntryAttrs {
  private static final Method.Definition D =
      Method.define(IoctlObject.DEVICE, "UVERBS_METHOD_QUERY_GID_ENTRY", 6);

  public static final Attribute PORT = D.attribute("UVERBS_ATTR_QUERY_GID_ENTRY_PORT", 0);
  public static final Attribute GID_INDEX = D.attribute("UVERBS_ATTR_QUERY_GID_ENTRY_GID_INDEX", 1);
  public static final Attribute FLAGS = D.attribute("UVERBS_ATTR_QUERY_GID_ENTRY_FLAGS", 2);
  public static final Attribute RESP_ENTRY =
      D.attribute("UVERBS_ATTR_QUERY_GID_ENTRY_RESP_ENTRY", 3);

  public static final Method METHOD = D.method();

  private QueryGidEntryAttrs() {}
}
