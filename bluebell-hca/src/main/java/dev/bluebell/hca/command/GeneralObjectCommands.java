package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Commands about general objects. The only kind here is the data encryption key. */
public final class GeneralObjectCommands {
  /**
   * The structure general_obj_in_cmd_hdr. Mirrors {@code mlx5_ifc.h:
   * mlx5_ifc_general_obj_in_cmd_hdr_bits} of Linux.
   */
  public static final class GeneralObjInCmdHdr {
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

  /**
   * The structure general_obj_out_cmd_hdr. Mirrors {@code mlx5_ifc.h:
   * mlx5_ifc_general_obj_out_cmd_hdr_bits} of Linux.
   */
  public static final class GeneralObjOutCmdHdr {
    private static final Structure.Definition D =
        CommandHeaders.output("general_obj_out_cmd_hdr", 128);

    public static final Field OBJ_ID = D.field("obj_id", 0x040, 32);

    public static final Structure STRUCTURE = D.structure();

    private GeneralObjOutCmdHdr() {}
  }

  /** Input of CREATE_DEK. Mirrors {@code mlx5_prm.h: mlx5_ifc_create_dek_in_bits} of DPDK. */
  public static final class CreateDekIn {
    private static final Structure.Definition D = Structure.define("create_dek_in", 2176);

    public static final Area HDR = D.area("hdr", 0x000, GeneralObjInCmdHdr.STRUCTURE);
    public static final Area DEK = D.area("dek", 0x080, Dek.STRUCTURE);

    public static final Structure STRUCTURE = D.structure();

    private CreateDekIn() {}
  }

  /** The structure dek. Mirrors {@code mlx5_prm.h: mlx5_ifc_dek_bits} of DPDK. */
  public static final class Dek {
    private static final Structure.Definition D = Structure.define("dek", 2048);

    public static final Field MODIFY_FIELD_SELECT = D.field("modify_field_select", 0x000, 64);
    public static final Field STATE = D.field("state", 0x040, 8);
    public static final Field KEY_SIZE = D.field("key_size", 0x054, 4);
    public static final Field HAS_KEYTAG = D.field("has_keytag", 0x058, 1);
    public static final Field KEY_PURPOSE = D.field("key_purpose", 0x05c, 4);
    public static final Field PD = D.field("pd", 0x068, 24);
    public static final Field OPAQUE = D.field("opaque", 0x180, 64);
    public static final Field KEY = D.field("key", 0x200, 1024);

    public static final Structure STRUCTURE = D.structure();

    private Dek() {}
  }

  private GeneralObjectCommands() {}
}
