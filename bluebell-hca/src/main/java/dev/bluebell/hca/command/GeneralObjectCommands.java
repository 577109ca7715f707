package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Commands about general objects. The only kind here is the data encryption key. */
public final class GeneralObjectCommands {
  /** Mirrors {@code mlx5_prm.h: mlx5_ifc_dek_bits} of DPDK. */
  private static final Structure DEK =
      Structure.define("dek", 2048)
          .with(
              """
              modify_field_select@000:64 state@040:8 key_size@054:4 has_keytag@058 key_purpose@05c:4
              pd@068:24 opaque@180:64 key@200:1024
              """);

  /** Input of CREATE_DEK. Mirrors {@code mlx5_prm.h: mlx5_ifc_create_dek_in_bits} of DPDK. */
  public static final Structure CREATE_DEK_IN =
      Structure.define("create_dek_in", 2176)
          .with("hdr", 0x000, GeneralObjInCmdHdr.STRUCTURE)
          .with("dek", 0x080, DEK);

  /**
   * The structure general_obj_in_cmd_hdr. Mirrors {@code mlx5_ifc.h:
   * mlx5_ifc_general_obj_in_cmd_hdr_bits} of Linux.
   */
  public static final class GeneralObjInCmdHdr {
    public static final Structure STRUCTURE =
        Structure.define("general_obj_in_cmd_hdr", 128)
            .with(
                """
                opcode@000:16 vhca_tunnel_id@020:16 obj_type@030:16 obj_id@040:32
                alias_object@060 obj_offset@060:32 log_obj_range@063:5
                """);
    public static final Field UID = STRUCTURE.field("uid", 0x010, 16);

    private GeneralObjInCmdHdr() {}
  }

  private GeneralObjectCommands() {}
}
