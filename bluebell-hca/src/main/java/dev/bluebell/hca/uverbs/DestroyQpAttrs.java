package dev.bluebell.hca.uverbs;


/**
 * UVERBS_METHOD_QP_DESTROY: destroying a QP. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
 * uverbs_attrs_destroy_qp_cmd_attr_ids}.
 */
public final class DestroyQpAttrs {
  private static final Method.Definition D =
      Method.define(IoctlObject.QP, "UVERBS_METHOD_QP_DESTROY", 1);

  public static final Attribute HANDLE = D.attribute("UVERBS_ATTR_DESTROY_QP_HANDLE", 0);
  public static final Attribute RESP = D.attribute("UVERBS_ATTR_DESTROY_QP_RESP", 1);

  public static final Method METHOD = D.method();

  private DestroyQpAttrs() {}
}
