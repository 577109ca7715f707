package dev.bluebell.hca.uverbs;


/**
 * UVERBS_METHOD_GET_CONTEXT: opening a context. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
 * uverbs_attrs_get_context_attr_ids}.
 */
public final class GetContextAttrs {
  private static final Method.Definition D =
      Method.define(IoctlObject.DEVICE, "UVERBS_METHOD_GET_CONTEXT", 3);

  public static final Attribute NUM_COMP_VECTORS =
      D.attribute("UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS", 0);
  public static final Attribute CORE_SUPPORT =
      D.attribute("UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT", 1);
  public static final Attribute UHW_IN = D.attribute("UVERBS_ATTR_UHW_IN", 0x1000);
  public static final Attribute UHW_OUT = D.attribute("UVERBS_ATTR_UHW_OUT", 0x1001);

  public static final Method METHOD = D.method();

  private GetContextAttrs() {}
}
