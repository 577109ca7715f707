package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * Moderation of completion events in {@link ExQueryDeviceResp}. Mirrors {@code
 * rdma/ib_user_verbs.h: ib_uverbs_cq_moderation_caps}.
 */
public final class CqModerationCaps {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_cq_moderation_caps", 8);

  public static final Field MAX_CQ_MODERATION_COUNT = D.u16("max_cq_moderation_count", 0);
  public static final Field MAX_CQ_MODERATION_PERIOD = D.u16("max_cq_moderation_period", 2);

  public static final Structure STRUCTURE = D.structure();

  private CqModerationCaps() {}
}
