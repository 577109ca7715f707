package dev.bluebell.hca.uverbs;


/**
 * UVERBS_METHOD_DM_FREE: freeing device memory. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
 * uverbs_attrs_free_dm_cmd_attr_ids}.
 */
public final class FreeDmAttrs {
  private static final Method.Definition D =
      Method.define(IoctlObject.DM, "UVERBS_METHOD_DM_FREE", 1);

  public static final Attribute HANDLE = D.attribute("UVERBS_ATTR_FREE_DM_HANDLE", 0);

  public static final Method METHOD = D.method();

  private FreeDmAttrs() {}
}
