package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of CREATE_XSRQ. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_create_xsrq}. */
public final class CreateXsrq {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_create_xsrq", 48);

  public static final Field RESPONSE = D.u64("response", 0);
  public static final Field USER_HANDLE = D.u64("user_handle", 8);
  public static final Field SRQ_TYPE = D.u32("srq_type", 16);
  public static final Field PD_HANDLE = D.u32("pd_handle", 20);
  public static final Field MAX_WR = D.u32("max_wr", 24);
  public static final Field MAX_SGE = D.u32("max_sge", 28);
  public static final Field SRQ_LIMIT = D.u32("srq_limit", 32);
  public static final Field MAX_NUM_TAGS = D.u32("max_num_tags", 36);
  public static final Field XRCD_HANDLE = D.u32("xrcd_handle", 40);
  public static final Field CQ_HANDLE = D.u32("cq_handle", 44);

  public static final Structure STRUCTURE = D.structure();

  private CreateXsrq() {}
}
