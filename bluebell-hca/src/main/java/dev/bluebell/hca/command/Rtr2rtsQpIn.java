package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of RTR2RTS_QP. Mirrors {@code mlx5_ifc.h: mlx5_ifc_rtr2rts_qp_in_bits} of Linux. */
public final class Rtr2rtsQpIn {
  private static final Structure.Definition D = Structure.define("rtr2rts_qp_in", 2176);

  public static final Field OPCODE = D.field("opcode", 0x000, 16);
  public static final Field UID = D.field("uid", 0x010, 16);
  public static final Field OP_MOD = D.field("op_mod", 0x030, 16);
  public static final Field QPN = D.field("qpn", 0x048, 24);
  public static final Field OPT_PARAM_MASK = D.field("opt_param_mask", 0x080, 32);
  public static final Field ECE = D.field("ece", 0x0a0, 32);
  public static final Area QPC = D.area("qpc", 0x0c0, Qpc.STRUCTURE);

  public static final Structure STRUCTURE = D.structure();

  private Rtr2rtsQpIn() {}
}
