package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * Output of CREATE_SRQ and CREATE_XSRQ. Mirrors {@code rdma/ib_user_verbs.h:
 * ib_uverbs_create_srq_resp}.
 */
public final class CreateSrqResp {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_create_srq_resp", 16);

  public static final Field SRQ_HANDLE = D.u32("srq_handle", 0);
  public static final Field MAX_WR = D.u32("max_wr", 4);
  public static final Field MAX_SGE = D.u32("max_sge", 8);
  public static final Field SRQN = D.u32("srqn", 12);

  public static final Structure STRUCTURE = D.structure();

  private CreateSrqResp() {}
}
