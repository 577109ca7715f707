package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of DRAIN_DCT. Mirrors {@code mlx5_ifc.h: mlx5_ifc_drain_dct_in_bits} of Linux. */
public final class DrainDctIn {
  private static final Structure.Definition D = Structure.define("drain_dct_in", 128);

  public static final Field OPCODE = D.field("opcode", 0x000, 16);
  public static final Field UID = D.field("uid", 0x010, 16);
  public static final Field OP_MOD = D.field("op_mod", 0x030, 16);
  public static final Field DCTN = D.field("dctn", 0x048, 24);

  public static final Structure STRUCTURE = D.structure();

  private DrainDctIn() {}
}
