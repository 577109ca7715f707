package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Output of CREATE_QP. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_qp_out_bits} of Linux. */
public final class CreateQpOut {
  private static final Structure.Definition D = Structure.define("create_qp_out", 128);

  public static final Field STATUS = D.field("status", 0x000, 8);
  public static final Field SYNDROME = D.field("syndrome", 0x020, 32);
  public static final Field QPN = D.field("qpn", 0x048, 24);
  public static final Field ECE = D.field("ece", 0x060, 32);

  public static final Structure STRUCTURE = D.structure();

  private CreateQpOut() {}
}
