package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Data of a completion event. Mirrors {@code mlx5_ifc.h: mlx5_ifc_comp_event_bits} of Linux. */
public final class CompEvent {
  private static final Structure.Definition D = Structure.define("comp_event", 224);

  public static final Field CQ_NUMBER = D.field("cq_number", 0x0c8, 24);

  public static final Structure STRUCTURE = D.structure();

  private CompEvent() {}
}
