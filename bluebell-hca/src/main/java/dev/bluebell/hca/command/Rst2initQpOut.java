package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Output of RST2INIT_QP. Mirrors {@code mlx5_ifc.h: mlx5_ifc_rst2init_qp_out_bits} of Linux. */
public final class Rst2initQpOut {
  private static final Structure.Definition D = Structure.define("rst2init_qp_out", 128);

  public static final Field STATUS = D.field("status", 0x000, 8);
  public static final Field SYNDROME = D.field("syndrome", 0x020, 32);
  public static final Field ECE = D.field("ece", 0x060, 32);

  public static final Structure STRUCTURE = D.structure();

  private Rst2initQpOut() {}
}
