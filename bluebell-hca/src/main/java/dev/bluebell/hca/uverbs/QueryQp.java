package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of QUERY_QP. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_query_qp}. */
public final class QueryQp {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_query_qp", 16);

  public static final Field RESPONSE = D.u64("response", 0);
  public static final Field QP_HANDLE = D.u32("qp_handle", 8);
  public static final Field ATTR_MASK = D.u32("attr_mask", 12);

  public static final Structure STRUCTURE = D.structure();

  private QueryQp() {}
}
