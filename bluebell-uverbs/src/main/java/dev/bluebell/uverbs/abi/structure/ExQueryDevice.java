package dev.bluebell.uverbs.abi.structure;

import dev.bluebell.uverbs.abi.Field;
import dev.bluebell.uverbs.abi.Structure;

/**
 * Input of the extended QUERY_DEVICE. Mirrors {@code rdma/ib_user_verbs.h:
 * ib_uverbs_ex_query_device}.
 */
public final class ExQueryDevice {
  private static final Structure.Definition D = Structure.define("ib_uverbs_ex_query_device", 8);

  public static final Field COMP_MASK = D.u32("comp_mask", 0);

  public static final Structure STRUCTURE = D.structure();

  private ExQueryDevice() {}
}
