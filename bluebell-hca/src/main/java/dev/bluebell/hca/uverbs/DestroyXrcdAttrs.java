package dev.bluebell.hca.uverbs;


/**
 * UVERBS_METHOD_XRCD_DESTROY: closing an XRC domain. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
 * uverbs_attrs_xrcd_destroy_ids}.
 */
public final class DestroyXrcdAttrs {
  private static final Method.Definition D =
      Method.define(IoctlObject.XRCD, "UVERBS_METHOD_XRCD_DESTROY", 0);

  public static final Attribute HANDLE = D.attribute("UVERBS_ATTR_DESTROY_XRCD_HANDLE", 0);

  public static final Method METHOD = D.method();

  private DestroyXrcdAttrs() {}
}
