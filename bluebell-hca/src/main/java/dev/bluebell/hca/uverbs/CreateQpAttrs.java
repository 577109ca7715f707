package dev.bluebell.hca.uverbs;


/**
 * UVERBS_METHOD_QP_CREATE: creating a QP. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
 * uverbs_attrs_create_qp_cmd_attr_ids}.
 */
public final class CreateQpAttrs {
  private static final Method.Definition D =
      Method.define(IoctlObject.QP, "UVERBS_METHOD_QP_CREATE", 0);

  public static final Attribute HANDLE = D.attribute("UVERBS_ATTR_CREATE_QP_HANDLE", 0);
  public static final Attribute XRCD_HANDLE = D.attribute("UVERBS_ATTR_CREATE_QP_XRCD_HANDLE", 1);
  public static final Attribute PD_HANDLE = D.attribute("UVERBS_ATTR_CREATE_QP_PD_HANDLE", 2);
  public static final Attribute SRQ_HANDLE = D.attribute("UVERBS_ATTR_CREATE_QP_SRQ_HANDLE", 3);
  public static final Attribute SEND_CQ_HANDLE =
      D.attribute("UVERBS_ATTR_CREATE_QP_SEND_CQ_HANDLE", 4);
  public static final Attribute RECV_CQ_HANDLE =
      D.attribute("UVERBS_ATTR_CREATE_QP_RECV_CQ_HANDLE", 5);
  public static final Attribute IND_TABLE_HANDLE =
      D.attribute("UVERBS_ATTR_CREATE_QP_IND_TABLE_HANDLE", 6);
  public static final Attribute USER_HANDLE = D.attribute("UVERBS_ATTR_CREATE_QP_USER_HANDLE", 7);
  public static final Attribute CAP = D.attribute("UVERBS_ATTR_CREATE_QP_CAP", 8);
  public static final Attribute TYPE = D.attribute("UVERBS_ATTR_CREATE_QP_TYPE", 9);
  public static final Attribute FLAGS = D.attribute("UVERBS_ATTR_CREATE_QP_FLAGS", 10);
  public static final Attribute SOURCE_QPN = D.attribute("UVERBS_ATTR_CREATE_QP_SOURCE_QPN", 11);
  public static final Attribute EVENT_FD = D.attribute("UVERBS_ATTR_CREATE_QP_EVENT_FD", 12);
  public static final Attribute RESP_CAP = D.attribute("UVERBS_ATTR_CREATE_QP_RESP_CAP", 13);
  public static final Attribute RESP_QP_NUM = D.attribute("UVERBS_ATTR_CREATE_QP_RESP_QP_NUM", 14);
  public static final Attribute UHW_IN = D.attribute("UVERBS_ATTR_UHW_IN", 0x1000);
  public static final Attribute UHW_OUT = D.attribute("UVERBS_ATTR_UHW_OUT", 0x1001);

  public static final Method METHOD = D.method();

  private CreateQpAttrs() {}
}
