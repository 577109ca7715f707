package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * Output of the extended CREATE_CQ. Mirrors {@code rdma/ib_user_verbs.h:
 * ib_uverbs_ex_create_cq_resp}.
 */
public final class ExCreateCqResp {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_ex_create_cq_resp", 16);

  public static final Area BASE = D.struct("base", 0, CreateCqResp.STRUCTURE);
  public static final Field COMP_MASK = D.u32("comp_mask", 8);
  public static final Field RESPONSE_LENGTH = D.u32("response_length", 12);

  public static final Structure STRUCTURE = D.structure();

  private ExCreateCqResp() {}
}
