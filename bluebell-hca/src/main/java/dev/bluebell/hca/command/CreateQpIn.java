package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of CREATE_QP. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_qp_in_bits} of Linux. */
public final class CreateQpIn {
  private static final Structure.Definition D = Structure.define("create_qp_in", 2176);

  public static final Field OPCODE = D.field("opcode", 0x000, 16);
  public static final Field UID = D.field("uid", 0x010, 16);
  public static final Field OP_MOD = D.field("op_mod", 0x030, 16);
  public static final Field QPC_EXT = D.field("qpc_ext", 0x040, 1);
  public static final Field INPUT_QPN = D.field("input_qpn", 0x048, 24);
  public static final Field OPT_PARAM_MASK = D.field("opt_param_mask", 0x080, 32);
  public static final Field ECE = D.field("ece", 0x0a0, 32);
  public static final Area QPC = D.area("qpc", 0x0c0, Qpc.STRUCTURE);
  public static final Field WQ_UMEM_OFFSET = D.field("wq_umem_offset", 0x800, 64);
  public static final Field WQ_UMEM_ID = D.field("wq_umem_id", 0x840, 32);
  public static final Field WQ_UMEM_VALID = D.field("wq_umem_valid", 0x860, 1);
  public static final Area QPC_EXTENSION_AND_PAS_LIST =
      D.area("qpc_extension_and_pas_list", 0x880, QpcExtensionAndPasList.STRUCTURE);

  public static final Structure STRUCTURE = D.structure();

  private CreateQpIn() {}
}
