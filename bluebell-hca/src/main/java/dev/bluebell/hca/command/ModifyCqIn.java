package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of MODIFY_CQ. Mirrors {@code mlx5_ifc.h: mlx5_ifc_modify_cq_in_bits} of Linux. */
public final class ModifyCqIn {
  private static final Structure.Definition D = Structure.define("modify_cq_in", 2176);

  public static final Field OPCODE = D.field("opcode", 0x000, 16);
  public static final Field UID = D.field("uid", 0x010, 16);
  public static final Field OP_MOD = D.field("op_mod", 0x030, 16);
  public static final Field CQN = D.field("cqn", 0x048, 24);
  public static final Area MODIFY_FIELD_SELECT_RESIZE_FIELD_SELECT_MODIFY_FIELD_SELECT =
      D.area(
          "modify_field_select_resize_field_select.modify_field_select",
          0x060,
          ModifyFieldSelect.STRUCTURE);
  public static final Area MODIFY_FIELD_SELECT_RESIZE_FIELD_SELECT_RESIZE_FIELD_SELECT =
      D.area(
          "modify_field_select_resize_field_select.resize_field_select",
          0x060,
          ResizeFieldSelect.STRUCTURE);
  public static final Field MODIFY_FIELD_SELECT_RESIZE_FIELD_SELECT =
      D.field("modify_field_select_resize_field_select", 0x060, 32);
  public static final Area CQ_CONTEXT = D.area("cq_context", 0x080, Cqc.STRUCTURE);
  public static final Field CQ_UMEM_VALID = D.field("cq_umem_valid", 0x2e0, 1);

  public static final Structure STRUCTURE = D.structure();

  /** op_mod that gives the queue another ring, {@code cq.h: MLX5_CQ_OPMOD_RESIZE}. */
  public static final int OP_MOD_RESIZE = 1;

  private ModifyCqIn() {}
}
