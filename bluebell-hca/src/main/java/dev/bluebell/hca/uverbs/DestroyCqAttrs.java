package dev.bluebell.hca.uverbs;


/**
 * UVERBS_METHOD_CQ_DESTROY: destroying a CQ. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
 * uverbs_attrs_destroy_cq_cmd_attr_ids}.
 */
public final class DestroyCqAttrs {
  private static final Method.Definition D =
      Method.define(IoctlObject.CQ, "UVERBS_METHOD_CQ_DESTROY", 1);

  public static final Attribute HANDLE = D.attribute("UVERBS_ATTR_DESTROY_CQ_HANDLE", 0);
  public static final Attribute RESP = D.attribute("UVERBS_ATTR_DESTROY_CQ_RESP", 1);

  public static final Method METHOD = D.method();

  private DestroyCqAttrs() {}
}
