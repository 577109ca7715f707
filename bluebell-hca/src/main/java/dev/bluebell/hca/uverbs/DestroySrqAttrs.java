package dev.bluebell.hca.uverbs;


/**
 * UVERBS_METHOD_SRQ_DESTROY: destroying an SRQ. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
 * uverbs_attrs_destroy_srq_cmd_attr_ids}.
 */
public final class DestroySrqAttrs {
  private static final Method.Definition D =
      Method.define(IoctlObject.SRQ, "UVERBS_METHOD_SRQ_DESTROY", 1);

  public static final Attribute HANDLE = D.attribute("UVERBS_ATTR_DESTROY_SRQ_HANDLE", 0);
  public static final Attribute RESP = D.attribute("UVERBS_ATTR_DESTROY_SRQ_RESP", 1);

  public static final Method METHOD = D.method();

  private DestroySrqAttrs() {}
}
