package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * Output of CREATE_XRC_SRQ. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_xrc_srq_out_bits} of Linux.
 */
public final class CreateXrcSrqOut {
  private static final Structure.Definition D = Structure.define("create_xrc_srq_out", 128);

  public static final Field STATUS = D.field("status", 0x000, 8);
  public static final Field SYNDROME = D.field("syndrome", 0x020, 32);
  public static final Field XRC_SRQN = D.field("xrc_srqn", 0x048, 24);

  public static final Structure STRUCTURE = D.structure();

  private CreateXrcSrqOut() {}
}
