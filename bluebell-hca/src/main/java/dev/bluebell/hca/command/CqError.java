package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Data of a CQ error event. Mirrors {@code mlx5_ifc.h: mlx5_ifc_cq_error_bits} of Linux. */
public final class CqError {
  private static final Structure.Definition D = Structure.define("cq_error", 224);

  public static final Field CQN = D.field("cqn", 0x008, 24);
  public static final Field SYNDROME = D.field("syndrome", 0x058, 8);

  public static final Structure STRUCTURE = D.structure();

  private CqError() {}
}
