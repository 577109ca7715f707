package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Output of QUERY_SRQ. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_query_srq_resp}. */
public final class QuerySrqResp {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_query_srq_resp", 16);

  public static final Field MAX_WR = D.u32("max_wr", 0);
  public static final Field MAX_SGE = D.u32("max_sge", 4);
  public static final Field SRQ_LIMIT = D.u32("srq_limit", 8);

  public static final Structure STRUCTURE = D.structure();

  private QuerySrqResp() {}
}
