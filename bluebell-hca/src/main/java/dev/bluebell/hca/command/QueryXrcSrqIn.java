package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of QUERY_XRC_SRQ. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_xrc_srq_in_bits} of Linux. */
public final class QueryXrcSrqIn {
  private static final Structure.Definition D = Structure.define("query_xrc_srq_in", 128);

  public static final Field OPCODE = D.field("opcode", 0x000, 16);
  public static final Field OP_MOD = D.field("op_mod", 0x030, 16);
  public static final Field XRC_SRQN = D.field("xrc_srqn", 0x048, 24);

  public static final Structure STRUCTURE = D.structure();

  private QueryXrcSrqIn() {}
}
