package dev.bluebell.hca.uverbs;


/**
 * UVERBS_METHOD_CQ_CREATE: creating a CQ. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
 * uverbs_attrs_create_cq_cmd_attr_ids}.
 */
public final class CreateCqAttrs {
  private static final Method.Definition D =
      Method.define(IoctlObject.CQ, "UVERBS_METHOD_CQ_CREATE", 0);

  public static final Attribute HANDLE = D.attribute("UVERBS_ATTR_CREATE_CQ_HANDLE", 0);
  public static final Attribute CQE = D.attribute("UVERBS_ATTR_CREATE_CQ_CQE", 1);
  public static final Attribute USER_HANDLE = D.attribute("UVERBS_ATTR_CREATE_CQ_USER_HANDLE", 2);
  public static final Attribute COMP_CHANNEL = D.attribute("UVERBS_ATTR_CREATE_CQ_COMP_CHANNEL", 3);
  public static final Attribute COMP_VECTOR = D.attribute("UVERBS_ATTR_CREATE_CQ_COMP_VECTOR", 4);
  public static final Attribute FLAGS = D.attribute("UVERBS_ATTR_CREATE_CQ_FLAGS", 5);
  public static final Attribute RESP_CQE = D.attribute("UVERBS_ATTR_CREATE_CQ_RESP_CQE", 6);
  public static final Attribute EVENT_FD = D.attribute("UVERBS_ATTR_CREATE_CQ_EVENT_FD", 7);
  public static final Attribute UHW_IN = D.attribute("UVERBS_ATTR_UHW_IN", 0x1000);
  public static final Attribute UHW_OUT = D.attribute("UVERBS_ATTR_UHW_OUT", 0x1001);

  public static final Method METHOD = D.method();

  private CreateCqAttrs() {}
}
