package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** The structure rmp_bitmask. Mirrors {@code mlx5_ifc.h: mlx5_ifc_rmp_bitmask_bits} of Linux. */
public final class RmpBitmask {
  private static final Structure.Definition D = Structure.define("rmp_bitmask", 64);

  public static final Field LWM = D.field("lwm", 0x03f, 1);

  public static final Structure STRUCTURE = D.structure();

  private RmpBitmask() {}
}
