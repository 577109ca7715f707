package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of ARM_XRC_SRQ. Mirrors {@code mlx5_ifc.h: mlx5_ifc_arm_xrc_srq_in_bits} of Linux. */
public final class ArmXrcSrqIn {
  private static final Structure.Definition D = Structure.define("arm_xrc_srq_in", 128);

  public static final Field OPCODE = D.field("opcode", 0x000, 16);
  public static final Field UID = D.field("uid", 0x010, 16);
  public static final Field OP_MOD = D.field("op_mod", 0x030, 16);
  public static final Field XRC_SRQN = D.field("xrc_srqn", 0x048, 24);
  public static final Field LWM = D.field("lwm", 0x070, 16);

  public static final Structure STRUCTURE = D.structure();

  /** op_mod: {@code MLX5_ARM_XRC_SRQ_IN_OP_MOD_XRC_SRQ}. */
  public static final int OP_MOD_XRC_SRQ = 1;

  private ArmXrcSrqIn() {}
}
