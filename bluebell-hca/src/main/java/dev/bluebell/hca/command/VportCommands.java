package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;
import dev.bluebell.hca.structure.View;
import java.util.function.UnaryOperator;

/** Commands about the port of a function: its contexts, addresses and keys. */
public final class VportCommands {
  /**
   * Input of QUERY_HCA_VPORT_CONTEXT. Mirrors {@code mlx5_ifc.h:
   * mlx5_ifc_query_hca_vport_context_in_bits} of Linux.
   */
  public static final class QueryHcaVportContextIn {
    public static final Structure STRUCTURE =
        CommandHeaders.input("query_hca_vport_context_in", 128);
    public static final Field OTHER_VPORT = STRUCTURE.field("other_vport", 0x040, 1);
    public static final Field PORT_NUM = STRUCTURE.field("port_num", 0x04c, 4);
    public static final Field VPORT_NUMBER = STRUCTURE.field("vport_number", 0x050, 16);

    private QueryHcaVportContextIn() {}
  }

  /**
   * Output of QUERY_HCA_VPORT_CONTEXT. Mirrors {@code mlx5_ifc.h:
   * mlx5_ifc_query_hca_vport_context_out_bits} of Linux.
   */
  public static final class QueryHcaVportContextOut {
    public static final Structure STRUCTURE =
        CommandHeaders.output("query_hca_vport_context_out", 4224);
    public static final Area HCA_VPORT_CONTEXT =
        STRUCTURE.area("hca_vport_context", 0x080, HcaVportContext.STRUCTURE);

    private QueryHcaVportContextOut() {}
  }

  /**
   * The structure hca_vport_context. Mirrors {@code mlx5_ifc.h: mlx5_ifc_hca_vport_context_bits} of
   * Linux.
   */
  public static final class HcaVportContext {
    public static final Structure STRUCTURE =
        Structure.define("hca_vport_context", 4096)
            .with(
                """
                field_select@000:32 sm_virt_aware@100 has_smi@101 has_raw@102
                vport_state_policy@114:4 cap_mask1_field_select@220:32 cap_mask2_field_select@260:32
                ooo_sl_mask@290:16
                """);
    public static final Field GRH_REQUIRED = STRUCTURE.field("grh_required", 0x103, 1);
    public static final Field PORT_PHYSICAL_STATE =
        STRUCTURE.field("port_physical_state", 0x110, 4);
    public static final Field PORT_STATE = STRUCTURE.field("port_state", 0x118, 4);
    public static final Field VPORT_STATE = STRUCTURE.field("vport_state", 0x11c, 4);
    public static final Field SYSTEM_IMAGE_GUID = STRUCTURE.field("system_image_guid", 0x140, 64);
    public static final Field PORT_GUID = STRUCTURE.field("port_guid", 0x180, 64);
    public static final Field NODE_GUID = STRUCTURE.field("node_guid", 0x1c0, 64);
    public static final Field CAP_MASK1 = STRUCTURE.field("cap_mask1", 0x200, 32);
    public static final Field CAP_MASK2 = STRUCTURE.field("cap_mask2", 0x240, 32);
    public static final Field LID = STRUCTURE.field("lid", 0x300, 16);
    public static final Field INIT_TYPE_REPLY = STRUCTURE.field("init_type_reply", 0x314, 4);
    public static final Field LMC = STRUCTURE.field("lmc", 0x318, 3);
    public static final Field SUBNET_TIMEOUT = STRUCTURE.field("subnet_timeout", 0x31b, 5);
    public static final Field SM_LID = STRUCTURE.field("sm_lid", 0x320, 16);
    public static final Field SM_SL = STRUCTURE.field("sm_sl", 0x330, 4);
    public static final Field QKEY_VIOLATION_COUNTER =
        STRUCTURE.field("qkey_violation_counter", 0x340, 16);
    public static final Field PKEY_VIOLATION_COUNTER =
        STRUCTURE.field("pkey_violation_counter", 0x350, 16);

    private HcaVportContext() {}
  }

  /**
   * Input of QUERY_HCA_VPORT_GID. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_hca_vport_gid_in_bits}
   * of Linux.
   */
  public static final class QueryHcaVportGidIn {
    public static final Structure STRUCTURE = CommandHeaders.input("query_hca_vport_gid_in", 128);
    public static final Field OTHER_VPORT = STRUCTURE.field("other_vport", 0x040, 1);
    public static final Field PORT_NUM = STRUCTURE.field("port_num", 0x04c, 4);
    public static final Field VPORT_NUMBER = STRUCTURE.field("vport_number", 0x050, 16);
    public static final Field GID_INDEX = STRUCTURE.field("gid_index", 0x070, 16);

    private QueryHcaVportGidIn() {}
  }

  /**
   * Output of QUERY_HCA_VPORT_GID. Mirrors {@code mlx5_ifc.h:
   * mlx5_ifc_query_hca_vport_gid_out_bits} of Linux.
   */
  public static final class QueryHcaVportGidOut {
    public static final Structure STRUCTURE = CommandHeaders.output("query_hca_vport_gid_out", 128);
    public static final Field GIDS_NUM = STRUCTURE.field("gids_num", 0x060, 16);

    private QueryHcaVportGidOut() {}
  }

  /**
   * Input of QUERY_HCA_VPORT_PKEY. Mirrors {@code mlx5_ifc.h:
   * mlx5_ifc_query_hca_vport_pkey_in_bits} of Linux.
   */
  public static final class QueryHcaVportPkeyIn {
    public static final Structure STRUCTURE = CommandHeaders.input("query_hca_vport_pkey_in", 128);
    public static final Field OTHER_VPORT = STRUCTURE.field("other_vport", 0x040, 1);
    public static final Field PORT_NUM = STRUCTURE.field("port_num", 0x04c, 4);
    public static final Field VPORT_NUMBER = STRUCTURE.field("vport_number", 0x050, 16);
    public static final Field PKEY_INDEX = STRUCTURE.field("pkey_index", 0x070, 16);

    private QueryHcaVportPkeyIn() {}
  }

  /**
   * Output of QUERY_HCA_VPORT_PKEY; the keys follow it, 32 bits each. Mirrors {@code mlx5_ifc.h:
   * mlx5_ifc_query_hca_vport_pkey_out_bits} of Linux.
   */
  public static final class QueryHcaVportPkeyOut {
    public static final Structure STRUCTURE =
        CommandHeaders.output("query_hca_vport_pkey_out", 128);

    private QueryHcaVportPkeyOut() {}
  }

  /**
   * Input of QUERY_ROCE_ADDRESS. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_roce_address_in_bits} of
   * Linux.
   */
  public static final class QueryRoceAddressIn {
    public static final Structure STRUCTURE = CommandHeaders.input("query_roce_address_in", 128);
    public static final Field ROCE_ADDRESS_INDEX = STRUCTURE.field("roce_address_index", 0x040, 16);
    public static final Field VHCA_PORT_NUM = STRUCTURE.field("vhca_port_num", 0x05c, 4);

    private QueryRoceAddressIn() {}
  }

  /**
   * Output of QUERY_ROCE_ADDRESS. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_roce_address_out_bits}
   * of Linux.
   */
  public static final class QueryRoceAddressOut {
    public static final Structure STRUCTURE = CommandHeaders.output("query_roce_address_out", 384);
    public static final Area ROCE_ADDRESS =
        STRUCTURE.area("roce_address", 0x080, RoceAddrLayout.STRUCTURE);

    private QueryRoceAddressOut() {}
  }

  /**
   * The structure roce_addr_layout. Mirrors {@code mlx5_ifc.h: mlx5_ifc_roce_addr_layout_bits} of
   * Linux.
   */
  public static final class RoceAddrLayout {
    public static final Structure STRUCTURE =
        Structure.define("roce_addr_layout", 256).with("vlan_valid@083 vlan_id@084:12");
    public static final Field SOURCE_L3_ADDRESS = STRUCTURE.field("source_l3_address", 0x000, 128);
    public static final Field SOURCE_MAC_47_32 = STRUCTURE.field("source_mac_47_32", 0x090, 16);
    public static final Field SOURCE_MAC_31_0 = STRUCTURE.field("source_mac_31_0", 0x0a0, 32);
    public static final Field ROCE_L3_TYPE = STRUCTURE.field("roce_l3_type", 0x0d4, 4);
    public static final Field ROCE_VERSION = STRUCTURE.field("roce_version", 0x0d8, 8);

    /** roce_version: {@code device.h: MLX5_ROCE_VERSION_1} of Linux. */
    public static final int VERSION_1 = 0;

    private RoceAddrLayout() {}
  }

  /** Input of MAD_IFC. Mirrors {@code mlx5_ifc.h: mlx5_ifc_mad_ifc_in_bits} of Linux. */
  public static final class MadIfcIn {
    public static final Structure STRUCTURE =
        CommandHeaders.input("mad_ifc_in", 2176).with("remote_lid@040:16");
    public static final Field PORT = STRUCTURE.field("port", 0x058, 8);
    public static final Field MAD = STRUCTURE.field("mad", 0x080, 2048);

    private MadIfcIn() {}
  }

  /** Output of MAD_IFC. Mirrors {@code mlx5_ifc.h: mlx5_ifc_mad_ifc_out_bits} of Linux. */
  public static final class MadIfcOut {
    public static final Structure STRUCTURE = CommandHeaders.output("mad_ifc_out", 2176);
    public static final Field RESPONSE_MAD_PACKET =
        STRUCTURE.field("response_mad_packet", 0x080, 2048);

    private MadIfcOut() {}
  }

  /**
   * Asks a device on Ethernet whether an entry of its GID table is of RoCE v2; otherwise it is of
   * RoCE v1, or empty.
   *
   * @param execute executes a command
   */
  public static boolean isRoceV2(UnaryOperator<byte[]> execute, int index) {
    byte[] command =
        View.command(QueryRoceAddressIn.STRUCTURE, CommandOpcode.QUERY_ROCE_ADDRESS)
            .set(QueryRoceAddressIn.ROCE_ADDRESS_INDEX, index)
            .bytes();
    return View.over(execute.apply(command))
            .at(QueryRoceAddressOut.ROCE_ADDRESS)
            .getInt(RoceAddrLayout.ROCE_VERSION)
        != RoceAddrLayout.VERSION_1;
  }

  private VportCommands() {}
}
