package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * The structure general_obj_in_cmd_hdr. Mirrors {@code mlx5_ifc.h:
 * mlx5_ifc_general_obj_in_cmd_hdr_bits} of Linux.
 */
public final class GeneralObjInCmdHdr {
  private static final Structure.Definition D = Structure.define("general_obj_in_cmd_hdr", 128);

  public static final Field OPCODE = D.field("opcode", 0x000, 16);
  public static final Field UID = D.field("uid", 0x010, 16);
  public static final Field VHCA_TUNNEL_ID = D.field("vhca_tunnel_id", 0x020, 16);
  public static final Field OBJ_TYPE = D.field("obj_type", 0x030, 16);
  public static final Field OBJ_ID = D.field("obj_id", 0x040, 32);
  public static final Field ALIAS_OBJECT = D.field("alias_object", 0x060, 1);
  public static final Field OBJ_OFFSET = D.field("obj_offset", 0x060, 32);
  public static final Field LOG_OBJ_RANGE = D.field("log_obj_range", 0x063, 5);

  public static final Structure STRUCTURE = D.structure();

  private GeneralObjInCmdHdr() {}
}
