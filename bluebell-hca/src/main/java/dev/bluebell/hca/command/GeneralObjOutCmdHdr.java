package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * The structure general_obj_out_cmd_hdr. Mirrors {@code mlx5_ifc.h:
 * mlx5_ifc_general_obj_out_cmd_hdr_bits} of Linux.
 */
public final class GeneralObjOutCmdHdr {
  private static final Structure.Definition D = Structure.define("general_obj_out_cmd_hdr", 128);

  public static final Field STATUS = D.field("status", 0x000, 8);
  public static final Field SYNDROME = D.field("syndrome", 0x020, 32);
  public static final Field OBJ_ID = D.field("obj_id", 0x040, 32);

  public static final Structure STRUCTURE = D.structure();

  private GeneralObjOutCmdHdr() {}
}
