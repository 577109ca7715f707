package dev.bluebell.uverbs.abi.structure;

import dev.bluebell.uverbs.abi.Field;
import dev.bluebell.uverbs.abi.Structure;

/** Input of DEREG_MR. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_dereg_mr}. */
public final class DeregMr {
  private static final Structure.Definition D = Structure.define("ib_uverbs_dereg_mr", 4);

  public static final Field MR_HANDLE = D.u32("mr_handle", 0);

  public static final Structure STRUCTURE = D.structure();

  private DeregMr() {}
}
