package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of CREATE_AH. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_create_ah}. */
public final class CreateAh {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_create_ah", 56);

  public static final Field RESPONSE = D.u64("response", 0);
  public static final Field USER_HANDLE = D.u64("user_handle", 8);
  public static final Field PD_HANDLE = D.u32("pd_handle", 16);
  public static final Area ATTR = D.struct("attr", 24, AhAttr.STRUCTURE);

  public static final Structure STRUCTURE = D.structure();

  private CreateAh() {}
}
