package dev.bluebell.hca.cqe;

import dev.bluebell.hca.command.Field;

/**
 * What a completion of tag matching has besides the fields of {@link Cqe}. Mirrors {@code mlx5dv.h:
 * mlx5_tm_cqe}, and {@code verbs.h: ibv_tmh} for messages.
 */
public final class TagMatchingCqe {
  /** A change of the list succeeded. */
  public static final Field SUCCESS = new Field("success", 0, 1);

  public static final Field HW_PHASE_CNT = new Field("hw_phase_cnt", 32, 16);

  /** The message's own header: operation. */
  public static final Field TMH_OPCODE = new Field("tmh_opcode", 0, 8);

  public static final Field TMH_APP_CTX = new Field("tmh_app_ctx", 32, 32);
  public static final Field TMH_TAG = new Field("tmh_tag", 64, 64);

  private TagMatchingCqe() {}
}
