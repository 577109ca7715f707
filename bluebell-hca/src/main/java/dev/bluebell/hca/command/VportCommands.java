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
    private static final Structure.Definition D =
        CommandHeaders.input("query_hca_vport_context_in", 128);

    public static final Field OTHER_VPORT = D.field("other_vport", 0x040, 1);
    public static final Field PORT_NUM = D.field("port_num", 0x04c, 4);
    public static final Field VPORT_NUMBER = D.field("vport_number", 0x050, 16);

    public static final Structure STRUCTURE = D.structure();

    private QueryHcaVportContextIn() {}
  }

  /**
   * Output of QUERY_HCA_VPORT_CONTEXT. Mirrors {@code mlx5_ifc.h:
   * mlx5_ifc_query_hca_vport_context_out_bits} of Linux.
   */
  public static final class QueryHcaVportContextOut {
    private static final Structure.Definition D =
        CommandHeaders.output("query_hca_vport_context_out", 4224);

    public static final Area HCA_VPORT_CONTEXT =
        D.area("hca_vport_context", 0x080, HcaVportContext.STRUCTURE);

    public static final Structure STRUCTURE = D.structure();

    private QueryHcaVportContextOut() {}
  }

  /**
   * The structure hca_vport_context. Mirrors {@code mlx5_ifc.h: mlx5_ifc_hca_vport_context_bits} of
   * Linux.
   */
  public static final class HcaVportContext {
    private static final Structure.Definition D = Structure.define("hca_vport_context", 4096);

    public static final Field GRH_REQUIRED = D.field("grh_required", 0x103, 1);
    public static final Field PORT_PHYSICAL_STATE = D.field("port_physical_state", 0x110, 4);
    public static final Field PORT_STATE = D.field("port_state", 0x118, 4);
    public static final Field VPORT_STATE = D.field("vport_state", 0x11c, 4);
    public static final Field SYSTEM_IMAGE_GUID = D.field("system_image_guid", 0x140, 64);
    public static final Field PORT_GUID = D.field("port_guid", 0x180, 64);
    public static final Field NODE_GUID = D.field("node_guid", 0x1c0, 64);
    public static final Field CAP_MASK1 = D.field("cap_mask1", 0x200, 32);
    public static final Field CAP_MASK2 = D.field("cap_mask2", 0x240, 32);
    public static final Field LID = D.field("lid", 0x300, 16);
    public static final Field INIT_TYPE_REPLY = D.field("init_type_reply", 0x314, 4);
    public static final Field LMC = D.field("lmc", 0x318, 3);
    public static final Field SUBNET_TIMEOUT = D.field("subnet_timeout", 0x31b, 5);
    public static final Field SM_LID = D.field("sm_lid", 0x320, 16);
    public static final Field SM_SL = D.field("sm_sl", 0x330, 4);
    public static final Field QKEY_VIOLATION_COUNTER = D.field("qkey_violation_counter", 0x340, 16);
    public static final Field PKEY_VIOLATION_COUNTER = D.field("pkey_violation_counter", 0x350, 16);

    public static final Structure STRUCTURE =
        D.with(
                """
                field_select@000:32 sm_virt_aware@100 has_smi@101 has_raw@102
                vport_state_policy@114:4 cap_mask1_field_select@220:32 cap_mask2_field_select@260:32
                ooo_sl_mask@290:16
                """)
            .structure();

    private HcaVportContext() {}
  }

  /**
   * Input of QUERY_HCA_VPORT_GID. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_hca_vport_gid_in_bits}
   * of Linux.
   */
  public static final class QueryHcaVportGidIn {
    private static final Structure.Definition D =
        CommandHeaders.input("query_hca_vport_gid_in", 128);

    public static final Field OTHER_VPORT = D.field("other_vport", 0x040, 1);
    public static final Field PORT_NUM = D.field("port_num", 0x04c, 4);
    public static final Field VPORT_NUMBER = D.field("vport_number", 0x050, 16);
    public static final Field GID_INDEX = D.field("gid_index", 0x070, 16);

    public static final Structure STRUCTURE = D.structure();

    private QueryHcaVportGidIn() {}
  }

  /**
   * Output of QUERY_HCA_VPORT_GID. Mirrors {@code mlx5_ifc.h:
   * mlx5_ifc_query_hca_vport_gid_out_bits} of Linux.
   */
  public static final class QueryHcaVportGidOut {
    private static final Structure.Definition D =
        CommandHeaders.output("query_hca_vport_gid_out", 128);

    public static final Field GIDS_NUM = D.field("gids_num", 0x060, 16);

    public static final Structure STRUCTURE = D.structure();

    private QueryHcaVportGidOut() {}
  }

  /**
   * Input of QUERY_HCA_VPORT_PKEY. Mirrors {@code mlx5_ifc.h:
   * mlx5_ifc_query_hca_vport_pkey_in_bits} of Linux.
   */
  public static final class QueryHcaVportPkeyIn {
    private static final Structure.Definition D =
        CommandHeaders.input("query_hca_vport_pkey_in", 128);

    public static final Field OTHER_VPORT = D.field("other_vport", 0x040, 1);
    public static final Field PORT_NUM = D.field("port_num", 0x04c, 4);
    public static final Field VPORT_NUMBER = D.field("vport_number", 0x050, 16);
    public static final Field PKEY_INDEX = D.field("pkey_index", 0x070, 16);

    public static final Structure STRUCTURE = D.structure();

    private QueryHcaVportPkeyIn() {}
  }

  /**
   * Output of QUERY_HCA_VPORT_PKEY; the keys follow it, 32 bits each. Mirrors {@code mlx5_ifc.h:
   * mlx5_ifc_query_hca_vport_pkey_out_bits} of Linux.
   */
  public static final class QueryHcaVportPkeyOut {
    private static final Structure.Definition D =
        CommandHeaders.output("query_hca_vport_pkey_out", 128);

    public static final Structure STRUCTURE = D.structure();

    private QueryHcaVportPkeyOut() {}
  }

  /**
   * Input of QUERY_ROCE_ADDRESS. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_roce_address_in_bits} of
   * Linux.
   */
  public static final class QueryRoceAddressIn {
    private static final Structure.Definition D =
        CommandHeaders.input("query_roce_address_in", 128);

    public static final Field ROCE_ADDRESS_INDEX = D.field("roce_address_index", 0x040, 16);

    public static final Structure STRUCTURE = D.with("vhca_port_num@05c:4").structure();

    private QueryRoceAddressIn() {}
  }

  /**
   * Output of QUERY_ROCE_ADDRESS. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_roce_address_out_bits}
   * of Linux.
   */
  public static final class QueryRoceAddressOut {
    private static final Structure.Definition D =
        CommandHeaders.output("query_roce_address_out", 384);

    public static final Area ROCE_ADDRESS = D.area("roce_address", 0x080, RoceAddrLayout.STRUCTURE);

    public static final Structure STRUCTURE = D.structure();

    private QueryRoceAddressOut() {}
  }

  /**
   * The structure roce_addr_layout. Mirrors {@code mlx5_ifc.h: mlx5_ifc_roce_addr_layout_bits} of
   * Linux.
   */
  public static final class RoceAddrLayout {
    private static final Structure.Definition D = Structure.define("roce_addr_layout", 256);

    public static final Field SOURCE_L3_ADDRESS = D.field("source_l3_address", 0x000, 128);
    public static final Field SOURCE_MAC_47_32 = D.field("source_mac_47_32", 0x090, 16);
    public static final Field SOURCE_MAC_31_0 = D.field("source_mac_31_0", 0x0a0, 32);
    public static final Field ROCE_L3_TYPE = D.field("roce_l3_type", 0x0d4, 4);
    public static final Field ROCE_VERSION = D.field("roce_version", 0x0d8, 8);

    public static final Structure STRUCTURE = D.with("vlan_valid@083 vlan_id@084:12").structure();

    /** roce_version: {@code device.h: MLX5_ROCE_VERSION_1} of Linux. */
    public static final int VERSION_1 = 0;

    private RoceAddrLayout() {}
  }

  /** Input of MAD_IFC. Mirrors {@code mlx5_ifc.h: mlx5_ifc_mad_ifc_in_bits} of Linux. */
  public static final class MadIfcIn {
    private static final Structure.Definition D = CommandHeaders.input("mad_ifc_in", 2176);

    public static final Field PORT = D.field("port", 0x058, 8);
    public static final Field MAD = D.field("mad", 0x080, 2048);

    public static final Structure STRUCTURE = D.with("remote_lid@040:16").structure();

    private MadIfcIn() {}
  }

  /** Output of MAD_IFC. Mirrors {@code mlx5_ifc.h: mlx5_ifc_mad_ifc_out_bits} of Linux. */
  public static final class MadIfcOut {
    private static final Structure.Definition D = CommandHeaders.output("mad_ifc_out", 2176);

    public static final Field RESPONSE_MAD_PACKET = D.field("response_mad_packet", 0x080, 2048);

    public static final Structure STRUCTURE = D.structure();

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
