package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * Input of the extended QUERY_DEVICE. Mirrors {@code rdma/ib_user_verbs.h:
 * ib_uverbs_ex_query_device}.
 */
public final class ExQueryDevice {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_ex_query_device", 8);

  public static final Field COMP_MASK = D.u32("comp_mask", 0);

  public static final Structure STRUCTURE = D.structure();

  private ExQueryDevice() {}
}
