package dev.bluebell.hca.uverbs;


/**
 * UVERBS_METHOD_PD_DESTROY: freeing a PD. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
 * uverbs_attrs_pd_destroy_ids}.
 */
public final class DestroyPdAttrs {
  private static final Method.Definition D =
      Method.define(IoctlObject.PD, "UVERBS_METHOD_PD_DESTROY", 0);

  public static final Attribute HANDLE = D.attribute("UVERBS_ATTR_DESTROY_PD_HANDLE", 0);

  public static final Method METHOD = D.method();

  private DestroyPdAttrs() {}
}
