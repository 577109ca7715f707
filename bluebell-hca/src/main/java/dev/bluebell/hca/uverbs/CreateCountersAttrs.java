package dev.bluebell.hca.uverbs;


/**
 * UVERBS_METHOD_COUNTERS_CREATE: creating counters. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
 * uverbs_attrs_create_counters_cmd_attr_ids}.
 */
public final class CreateCountersAttrs {
  private static final Method.Definition D =
      Method.define(IoctlObject.COUNTERS, "UVERBS_METHOD_COUNTERS_CREATE", 0);

  public static final Attribute HANDLE = D.attribute("UVERBS_ATTR_CREATE_COUNTERS_HANDLE", 0);

  public static final Method METHOD = D.method();

  private CreateCountersAttrs() {}
}
