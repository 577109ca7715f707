package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * Input of QUERY_ROCE_ADDRESS. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_roce_address_in_bits} of
 * Linux.
 */
public final class QueryRoceAddressIn {
  private static final Structure.Definition D = Structure.define("query_roce_address_in", 128);

  public static final Field OPCODE = D.field("opcode", 0x000, 16);
  public static final Field OP_MOD = D.field("op_mod", 0x030, 16);
  public static final Field ROCE_ADDRESS_INDEX = D.field("roce_address_index", 0x040, 16);
  public static final Field VHCA_PORT_NUM = D.field("vhca_port_num", 0x05c, 4);

  public static final Structure STRUCTURE = D.structure();

  private QueryRoceAddressIn() {}
}
