package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * The structure roce_addr_layout. Mirrors {@code mlx5_ifc.h: mlx5_ifc_roce_addr_layout_bits} of
 * Linux.
 */
public final class RoceAddrLayout {
  private static final Structure.Definition D = Structure.define("roce_addr_layout", 256);

  public static final Field SOURCE_L3_ADDRESS = D.field("source_l3_address", 0x000, 128);
  public static final Field VLAN_VALID = D.field("vlan_valid", 0x083, 1);
  public static final Field VLAN_ID = D.field("vlan_id", 0x084, 12);
  public static final Field SOURCE_MAC_47_32 = D.field("source_mac_47_32", 0x090, 16);
  public static final Field SOURCE_MAC_31_0 = D.field("source_mac_31_0", 0x0a0, 32);
  public static final Field ROCE_L3_TYPE = D.field("roce_l3_type", 0x0d4, 4);
  public static final Field ROCE_VERSION = D.field("roce_version", 0x0d8, 8);

  public static final Structure STRUCTURE = D.structure();

  private RoceAddrLayout() {}
}
