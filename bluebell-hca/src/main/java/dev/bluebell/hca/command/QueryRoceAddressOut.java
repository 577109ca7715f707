package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * Output of QUERY_ROCE_ADDRESS. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_roce_address_out_bits} of
 * Linux.
 */
public final class QueryRoceAddressOut {
  private static final Structure.Definition D = Structure.define("query_roce_address_out", 384);

  public static final Field STATUS = D.field("status", 0x000, 8);
  public static final Field SYNDROME = D.field("syndrome", 0x020, 32);
  public static final Area ROCE_ADDRESS = D.area("roce_address", 0x080, RoceAddrLayout.STRUCTURE);

  public static final Structure STRUCTURE = D.structure();

  private QueryRoceAddressOut() {}
}
