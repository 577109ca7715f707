package dev.bluebell.uverbs.abi.structure;

import dev.bluebell.uverbs.abi.Field;
import dev.bluebell.uverbs.abi.Structure;

/** Input of DESTROY_AH. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_destroy_ah}. */
public final class DestroyAh {
  private static final Structure.Definition D = Structure.define("ib_uverbs_destroy_ah", 4);

  public static final Field AH_HANDLE = D.u32("ah_handle", 0);

  public static final Structure STRUCTURE = D.structure();

  private DestroyAh() {}
}
