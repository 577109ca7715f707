package dev.bluebell.hca.uverbs;

/** Counters. */
public final class CountersAbi {
  /**
   * UVERBS_METHOD_COUNTERS_CREATE: creating counters. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
   * uverbs_attrs_create_counters_cmd_attr_ids}.
   */
  public static final class CreateCountersAttrs {
    public static final Method METHOD =
        new Method(IoctlObject.COUNTERS, "UVERBS_METHOD_COUNTERS_CREATE", 0);
    public static final Attribute HANDLE =
        METHOD.attribute("UVERBS_ATTR_CREATE_COUNTERS_HANDLE", 0);

    private CreateCountersAttrs() {}
  }

  /**
   * UVERBS_METHOD_COUNTERS_READ: reading counters. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
   * uverbs_attrs_read_counters_cmd_attr_ids}.
   */
  public static final class ReadCountersAttrs {
    public static final Method METHOD =
        new Method(IoctlObject.COUNTERS, "UVERBS_METHOD_COUNTERS_READ", 2);
    public static final Attribute HANDLE = METHOD.attribute("UVERBS_ATTR_READ_COUNTERS_HANDLE", 0);
    public static final Attribute BUFF = METHOD.attribute("UVERBS_ATTR_READ_COUNTERS_BUFF", 1);
    public static final Attribute FLAGS = METHOD.attribute("UVERBS_ATTR_READ_COUNTERS_FLAGS", 2);

    private ReadCountersAttrs() {}
  }

  /**
   * UVERBS_METHOD_COUNTERS_DESTROY: destroying counters. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
   * uverbs_attrs_destroy_counters_cmd_attr_ids}.
   */
  public static final class DestroyCountersAttrs {
    public static final Method METHOD =
        new Method(IoctlObject.COUNTERS, "UVERBS_METHOD_COUNTERS_DESTROY", 1);
    public static final Attribute HANDLE =
        METHOD.attribute("UVERBS_ATTR_DESTROY_COUNTERS_HANDLE", 0);

    private DestroyCountersAttrs() {}
  }

  private CountersAbi() {}
}
