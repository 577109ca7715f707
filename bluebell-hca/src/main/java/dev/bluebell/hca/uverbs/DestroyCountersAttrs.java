package dev.bluebell.hca.uverbs;


/**
 * UVERBS_METHOD_COUNTERS_DESTROY: destroying counters. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
 * uverbs_attrs_destroy_counters_cmd_attr_ids}.
 */
public final class DestroyCountersAttrs {
  private static final Method.Definition D =
      Method.define(IoctlObject.COUNTERS, "UVERBS_METHOD_COUNTERS_DESTROY", 1);

  public static final Attribute HANDLE = D.attribute("UVERBS_ATTR_DESTROY_COUNTERS_HANDLE", 0);

  public static final Method METHOD = D.method();

  private DestroyCountersAttrs() {}
}
