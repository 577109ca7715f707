package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * When a CQ raises events, in {@link ExModifyCq}. Mirrors {@code rdma/ib_user_verbs.h:
 * ib_uverbs_cq_moderation}.
 */
public final class CqModeration {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_cq_moderation", 4);

  public static final Field CQ_COUNT = D.u16("cq_count", 0);
  public static final Field CQ_PERIOD = D.u16("cq_period", 2);

  public static final Structure STRUCTURE = D.structure();

  private CqModeration() {}
}
