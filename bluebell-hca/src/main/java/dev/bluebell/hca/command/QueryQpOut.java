package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Output of QUERY_QP. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_qp_out_bits} of Linux. */
public final class QueryQpOut {
  private static final Structure.Definition D = Structure.define("query_qp_out", 2176);

  public static final Field STATUS = D.field("status", 0x000, 8);
  public static final Field SYNDROME = D.field("syndrome", 0x020, 32);
  public static final Field OPT_PARAM_MASK = D.field("opt_param_mask", 0x080, 32);
  public static final Field ECE = D.field("ece", 0x0a0, 32);
  public static final Area QPC = D.area("qpc", 0x0c0, Qpc.STRUCTURE);

  public static final Structure STRUCTURE = D.structure();

  private QueryQpOut() {}
}
