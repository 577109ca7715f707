package dev.bluebell.hca.uverbs;


/**
 * UVERBS_METHOD_SRQ_CREATE: creating an SRQ. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
 * uverbs_attrs_create_srq_cmd_attr_ids}.
 */
public final class CreateSrqAttrs {
  private static final Method.Definition D =
      Method.define(IoctlObject.SRQ, "UVERBS_METHOD_SRQ_CREATE", 0);

  public static final Attribute HANDLE = D.attribute("UVERBS_ATTR_CREATE_SRQ_HANDLE", 0);
  public static final Attribute PD_HANDLE = D.attribute("UVERBS_ATTR_CREATE_SRQ_PD_HANDLE", 1);
  public static final Attribute XRCD_HANDLE = D.attribute("UVERBS_ATTR_CREATE_SRQ_XRCD_HANDLE", 2);
  public static final Attribute CQ_HANDLE = D.attribute("UVERBS_ATTR_CREATE_SRQ_CQ_HANDLE", 3);
  public static final Attribute USER_HANDLE = D.attribute("UVERBS_ATTR_CREATE_SRQ_USER_HANDLE", 4);
  public static final Attribute MAX_WR = D.attribute("UVERBS_ATTR_CREATE_SRQ_MAX_WR", 5);
  public static final Attribute MAX_SGE = D.attribute("UVERBS_ATTR_CREATE_SRQ_MAX_SGE", 6);
  public static final Attribute LIMIT = D.attribute("UVERBS_ATTR_CREATE_SRQ_LIMIT", 7);
  public static final Attribute MAX_NUM_TAGS =
      D.attribute("UVERBS_ATTR_CREATE_SRQ_MAX_NUM_TAGS", 8);
  public static final Attribute TYPE = D.attribute("UVERBS_ATTR_CREATE_SRQ_TYPE", 9);
  public static final Attribute EVENT_FD = D.attribute("UVERBS_ATTR_CREATE_SRQ_EVENT_FD", 10);
  public static final Attribute RESP_MAX_WR = D.attribute("UVERBS_ATTR_CREATE_SRQ_RESP_MAX_WR", 11);
  public static final Attribute RESP_MAX_SGE =
      D.attribute("UVERBS_ATTR_CREATE_SRQ_RESP_MAX_SGE", 12);
  public static final Attribute RESP_SRQ_NUM =
      D.attribute("UVERBS_ATTR_CREATE_SRQ_RESP_SRQ_NUM", 13);
  public static final Attribute UHW_IN = D.attribute("UVERBS_ATTR_UHW_IN", 0x1000);
  public static final Attribute UHW_OUT = D.attribute("UVERBS_ATTR_UHW_OUT", 0x1001);

  public static final Method METHOD = D.method();

  private CreateSrqAttrs() {}
}
