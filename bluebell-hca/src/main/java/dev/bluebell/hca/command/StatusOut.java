package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * Output of the commands that return nothing but their status. Mirrors {@code mlx5_ifc.h:
 * mlx5_ifc_destroy_qp_out_bits} of Linux and its equals.
 */
public final class StatusOut {
  private static final Structure.Definition D = Structure.define("status_out", 128);

  public static final Field STATUS = D.field("status", 0x000, 8);
  public static final Field SYNDROME = D.field("syndrome", 0x020, 32);

  public static final Structure STRUCTURE = D.structure();

  private StatusOut() {}
}
