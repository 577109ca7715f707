package dev.bluebell.hca.uverbs;


/**
 * UVERBS_METHOD_MR_DESTROY: deregistering an MR. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
 * uverbs_attrs_mr_destroy_ids}.
 */
public final class DestroyMrAttrs {
  private static final Method.Definition D =
      Method.define(IoctlObject.MR, "UVERBS_METHOD_MR_DESTROY", 1);

  public static final Attribute HANDLE = D.attribute("UVERBS_ATTR_DESTROY_MR_HANDLE", 0);

  public static final Method METHOD = D.method();

  private DestroyMrAttrs() {}
}
