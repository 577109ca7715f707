package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Output of MAD_IFC. Mirrors {@code mlx5_ifc.h: mlx5_ifc_mad_ifc_out_bits} of Linux. */
public final class MadIfcOut {
  private static final Structure.Definition D = Structure.define("mad_ifc_out", 2176);

  public static final Field STATUS = D.field("status", 0x000, 8);
  public static final Field SYNDROME = D.field("syndrome", 0x020, 32);
  public static final Field RESPONSE_MAD_PACKET = D.field("response_mad_packet", 0x080, 2048);

  public static final Structure STRUCTURE = D.structure();

  private MadIfcOut() {}
}
