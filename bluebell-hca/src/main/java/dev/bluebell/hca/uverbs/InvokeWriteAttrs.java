package dev.bluebell.hca.uverbs;


/**
 * UVERBS_METHOD_INVOKE_WRITE: a write command, sent as an ioctl. Mirrors {@code
 * rdma/ib_user_ioctl_cmds.h: uverbs_attrs_invoke_write_cmd_attr_ids}.
 */
public final class InvokeWriteAttrs {
  private static final Method.Definition D =
      Method.define(IoctlObject.DEVICE, "UVERBS_METHOD_INVOKE_WRITE", 0);

  public static final Attribute CORE_IN = D.attribute("UVERBS_ATTR_CORE_IN", 0);
  public static final Attribute CORE_OUT = D.attribute("UVERBS_ATTR_CORE_OUT", 1);
  public static final Attribute WRITE_CMD = D.attribute("UVERBS_ATTR_WRITE_CMD", 2);
  public static final Attribute UHW_IN = D.attribute("UVERBS_ATTR_UHW_IN", 0x1000);
  public static final Attribute UHW_OUT = D.attribute("UVERBS_ATTR_UHW_OUT", 0x1001);

  public static final Method METHOD = D.method();

  private InvokeWriteAttrs() {}
}
