package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * The structure mac_address_layout. Mirrors {@code mlx5_ifc.h: mlx5_ifc_mac_address_layout_bits} of
 * Linux.
 */
public final class MacAddressLayout {
  private static final Structure.Definition D = Structure.define("mac_address_layout", 64);

  public static final Field MAC_ADDR_47_32 = D.field("mac_addr_47_32", 0x010, 16);
  public static final Field MAC_ADDR_31_0 = D.field("mac_addr_31_0", 0x020, 32);

  public static final Structure STRUCTURE = D.structure();

  private MacAddressLayout() {}
}
