package dev.bluebell.hca.uverbs;


/**
 * UVERBS_METHOD_ADVISE_MR: advice on memory that is on demand. Mirrors {@code
 * rdma/ib_user_ioctl_cmds.h: uverbs_attrs_advise_mr_cmd_attr_ids}.
 */
public final class AdviseMrAttrs {
  private static final Method.Definition D =
      Method.define(IoctlObject.MR, "UVERBS_METHOD_ADVISE_MR", 2);

  public static final Attribute PD_HANDLE = D.attribute("UVERBS_ATTR_ADVISE_MR_PD_HANDLE", 0);
  public static final Attribute ADVICE = D.attribute("UVERBS_ATTR_ADVISE_MR_ADVICE", 1);
  public static final Attribute FLAGS = D.attribute("UVERBS_ATTR_ADVISE_MR_FLAGS", 2);
  public static final Attribute SGE_LIST = D.attribute("UVERBS_ATTR_ADVISE_MR_SGE_LIST", 3);

  public static final Method METHOD = D.method();

  private AdviseMrAttrs() {}
}
