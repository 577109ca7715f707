package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * Input of CREATE_XRC_SRQ. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_xrc_srq_in_bits} of Linux.
 */
public final class CreateXrcSrqIn {
  private static final Structure.Definition D = Structure.define("create_xrc_srq_in", 2176);

  public static final Field OPCODE = D.field("opcode", 0x000, 16);
  public static final Field UID = D.field("uid", 0x010, 16);
  public static final Field OP_MOD = D.field("op_mod", 0x030, 16);
  public static final Area XRC_SRQ_CONTEXT_ENTRY =
      D.area("xrc_srq_context_entry", 0x080, XrcSrqc.STRUCTURE);
  public static final Field XRC_SRQ_UMEM_VALID = D.field("xrc_srq_umem_valid", 0x2e0, 1);

  public static final Structure STRUCTURE = D.structure();

  private CreateXrcSrqIn() {}
}
