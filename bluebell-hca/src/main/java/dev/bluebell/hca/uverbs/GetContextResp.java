package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Output of GET_CONTEXT. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_get_context_resp}. */
public final class GetContextResp {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_get_context_resp", 8);

  public static final Field ASYNC_FD = D.u32("async_fd", 0);
  public static final Field NUM_COMP_VECTORS = D.u32("num_comp_vectors", 4);

  public static final Structure STRUCTURE = D.structure();

  private GetContextResp() {}
}
