package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** The structure dct_events. Mirrors {@code mlx5_ifc.h: mlx5_ifc_dct_events_bits} of Linux. */
public final class DctEvents {
  private static final Structure.Definition D = Structure.define("dct_events", 224);

  public static final Field DCT_NUMBER = D.field("dct_number", 0x0c8, 24);

  public static final Structure STRUCTURE = D.structure();

  private DctEvents() {}
}
