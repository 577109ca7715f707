package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of INIT2INIT_QP. Mirrors {@code mlx5_ifc.h: mlx5_ifc_init2init_qp_in_bits} of Linux. */
public final class Init2initQpIn {
  private static final Structure.Definition D = Structure.define("init2init_qp_in", 2176);

  public static final Field OPCODE = D.field("opcode", 0x000, 16);
  public static final Field UID = D.field("uid", 0x010, 16);
  public static final Field VHCA_TUNNEL_ID = D.field("vhca_tunnel_id", 0x020, 16);
  public static final Field OP_MOD = D.field("op_mod", 0x030, 16);
  public static final Field QPC_EXT = D.field("qpc_ext", 0x040, 1);
  public static final Field QPN = D.field("qpn", 0x048, 24);
  public static final Field OPT_PARAM_MASK = D.field("opt_param_mask", 0x080, 32);
  public static final Field ECE = D.field("ece", 0x0a0, 32);
  public static final Area QPC = D.area("qpc", 0x0c0, Qpc.STRUCTURE);
  public static final Area QPC_DATA = D.area("qpc_data", 0x0c0, Qpc.STRUCTURE);
  public static final Field OPT_PARAM_MASK_95_32 = D.field("opt_param_mask_95_32", 0x840, 64);
  public static final Area QPC_DATA_EXT = D.area("qpc_data_ext", 0x880, QpcExt.STRUCTURE);
  public static final Area QPC_DATA_EXTENSION =
      D.area("qpc_data_extension", 0x880, QpcExt.STRUCTURE);

  public static final Structure STRUCTURE = D.structure();

  private Init2initQpIn() {}
}
