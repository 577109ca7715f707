package dev.bluebell.uverbs.abi.structure;

import dev.bluebell.uverbs.abi.Field;
import dev.bluebell.uverbs.abi.Structure;

/**
 * Moderation of completion events in {@link ExQueryDeviceResp}. Mirrors {@code
 * rdma/ib_user_verbs.h: ib_uverbs_cq_moderation_caps}.
 */
public final class CqModerationCaps {
  private static final Structure.Definition D = Structure.define("ib_uverbs_cq_moderation_caps", 8);

  public static final Field MAX_CQ_MODERATION_COUNT = D.u16("max_cq_moderation_count", 0);
  public static final Field MAX_CQ_MODERATION_PERIOD = D.u16("max_cq_moderation_period", 2);

  public static final Structure STRUCTURE = D.structure();

  private CqModerationCaps() {}
}
