package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * Input of CREATE_CQ. A negative channel means none. Mirrors {@code rdma/ib_user_verbs.h:
 * ib_uverbs_create_cq}.
 */
public final class CreateCq {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_create_cq", 32);

  public static final Field RESPONSE = D.u64("response", 0);
  public static final Field USER_HANDLE = D.u64("user_handle", 8);
  public static final Field CQE = D.u32("cqe", 16);
  public static final Field COMP_VECTOR = D.u32("comp_vector", 20);
  public static final Field COMP_CHANNEL = D.u32("comp_channel", 24);

  public static final Structure STRUCTURE = D.structure();

  private CreateCq() {}
}
