package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of CREATE_CQ. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_cq_in_bits} of Linux. */
public final class CreateCqIn {
  private static final Structure.Definition D = Structure.define("create_cq_in", 2176);

  public static final Field OPCODE = D.field("opcode", 0x000, 16);
  public static final Field UID = D.field("uid", 0x010, 16);
  public static final Field OP_MOD = D.field("op_mod", 0x030, 16);
  public static final Area CQ_CONTEXT = D.area("cq_context", 0x080, Cqc.STRUCTURE);
  public static final Area CQC = D.area("cqc", 0x080, Cqc.STRUCTURE);
  public static final Field CQ_UMEM_OFFSET = D.field("cq_umem_offset", 0x280, 64);
  public static final Field CQ_UMEM_ID = D.field("cq_umem_id", 0x2c0, 32);
  public static final Field CQ_UMEM_VALID = D.field("cq_umem_valid", 0x2e0, 1);

  public static final Structure STRUCTURE = D.structure();

  private CreateCqIn() {}
}
