package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * The structure modify_field_select. Mirrors {@code mlx5_ifc.h: mlx5_ifc_modify_field_select_bits}
 * of Linux.
 */
public final class ModifyFieldSelect {
  private static final Structure.Definition D = Structure.define("modify_field_select", 32);

  public static final Field MODIFY_FIELD_SELECT = D.field("modify_field_select", 0x000, 32);

  public static final Structure STRUCTURE = D.structure();

  /** cq_period, {@code cq.h: MLX5_CQ_MODIFY_PERIOD}. */
  public static final int PERIOD = 1;

  /** cq_max_count, {@code cq.h: MLX5_CQ_MODIFY_COUNT}. */
  public static final int COUNT = 1 << 1;

  /** cq_period_mode, {@code cq.h: MLX5_CQ_MODIFY_PERIOD_MODE}. */
  public static final int PERIOD_MODE = 1 << 4;

  private ModifyFieldSelect() {}
}
