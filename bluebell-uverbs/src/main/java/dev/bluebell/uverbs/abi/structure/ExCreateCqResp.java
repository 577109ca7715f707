package dev.bluebell.uverbs.abi.structure;

import dev.bluebell.uverbs.abi.Area;
import dev.bluebell.uverbs.abi.Field;
import dev.bluebell.uverbs.abi.Structure;

/**
 * Output of the extended CREATE_CQ. Mirrors {@code rdma/ib_user_verbs.h:
 * ib_uverbs_ex_create_cq_resp}.
 */
public final class ExCreateCqResp {
  private static final Structure.Definition D = Structure.define("ib_uverbs_ex_create_cq_resp", 16);

  public static final Area BASE = D.area("base", 0, CreateCqResp.STRUCTURE);
  public static final Field COMP_MASK = D.u32("comp_mask", 8);
  public static final Field RESPONSE_LENGTH = D.u32("response_length", 12);

  public static final Structure STRUCTURE = D.structure();

  private ExCreateCqResp() {}
}
