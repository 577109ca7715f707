package dev.bluebell.hca.uverbs;


/**
 * UVERBS_METHOD_DM_MR_REG: registering device memory. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
 * uverbs_attrs_reg_dm_mr_cmd_attr_ids}.
 */
public final class RegDmMrAttrs {
  private static final Method.Definition D =
      Method.define(IoctlObject.MR, "UVERBS_METHOD_DM_MR_REG", 0);

  public static final Attribute HANDLE = D.attribute("UVERBS_ATTR_REG_DM_MR_HANDLE", 0);
  public static final Attribute OFFSET = D.attribute("UVERBS_ATTR_REG_DM_MR_OFFSET", 1);
  public static final Attribute LENGTH = D.attribute("UVERBS_ATTR_REG_DM_MR_LENGTH", 2);
  public static final Attribute PD_HANDLE = D.attribute("UVERBS_ATTR_REG_DM_MR_PD_HANDLE", 3);
  public static final Attribute ACCESS_FLAGS = D.attribute("UVERBS_ATTR_REG_DM_MR_ACCESS_FLAGS", 4);
  public static final Attribute DM_HANDLE = D.attribute("UVERBS_ATTR_REG_DM_MR_DM_HANDLE", 5);
  public static final Attribute RESP_LKEY = D.attribute("UVERBS_ATTR_REG_DM_MR_RESP_LKEY", 6);
  public static final Attribute RESP_RKEY = D.attribute("UVERBS_ATTR_REG_DM_MR_RESP_RKEY", 7);

  public static final Method METHOD = D.method();

  private RegDmMrAttrs() {}
}
