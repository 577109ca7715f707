package dev.bluebell.hca.uverbs;


/**
 * UVERBS_METHOD_AH_DESTROY: destroying an AH. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
 * uverbs_attrs_ah_destroy_ids}.
 */
public final class DestroyAhAttrs {
  private static final Method.Definition D =
      Method.define(IoctlObject.AH, "UVERBS_METHOD_AH_DESTROY", 0);

  public static final Attribute HANDLE = D.attribute("UVERBS_ATTR_DESTROY_AH_HANDLE", 0);

  public static final Method METHOD = D.method();

  private DestroyAhAttrs() {}
}
