package dev.bluebell.hca.uverbs;


/**
 * UVERBS_METHOD_QUERY_GID_TABLE: all GIDs. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
 * uverbs_attrs_query_gid_table_cmd_attr_ids}.
 */
public final class QueryGidTableAttrs {
  private static final Method.Definition D =
      Method.define(IoctlObject.DEVICE, "UVERBS_METHOD_QUERY_GID_TABLE", 5);

  public static final Attribute ENTRY_SIZE =
      D.attribute("UVERBS_ATTR_QUERY_GID_TABLE_ENTRY_SIZE", 0);
  public static final Attribute FLAGS = D.attribute("UVERBS_ATTR_QUERY_GID_TABLE_FLAGS", 1);
  public static final Attribute RESP_ENTRIES =
      D.attribute("UVERBS_ATTR_QUERY_GID_TABLE_RESP_ENTRIES", 2);
  public static final Attribute RESP_NUM_ENTRIES =
      D.attribute("UVERBS_ATTR_QUERY_GID_TABLE_RESP_NUM_ENTRIES", 3);

  public static final Method METHOD = D.method();

  private QueryGidTableAttrs() {}
}
