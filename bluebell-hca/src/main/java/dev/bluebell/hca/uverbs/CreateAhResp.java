package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Output of CREATE_AH. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_create_ah_resp}. */
public final class CreateAhResp {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_create_ah_resp", 4);

  public static final Field AH_HANDLE = D.u32("ah_handle", 0);

  public static final Structure STRUCTURE = D.structure();

  private CreateAhResp() {}
}
