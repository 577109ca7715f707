package dev.bluebell.hca.uverbs;


/**
 * UVERBS_METHOD_MW_DESTROY: freeing a memory window. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
 * uverbs_attrs_mw_destroy_ids}.
 */
public final class DestroyMwAttrs {
  private static final Method.Definition D =
      Method.define(IoctlObject.MW, "UVERBS_METHOD_MW_DESTROY", 0);

  public static final Attribute HANDLE = D.attribute("UVERBS_ATTR_DESTROY_MW_HANDLE", 0);

  public static final Method METHOD = D.method();

  private DestroyMwAttrs() {}
}
