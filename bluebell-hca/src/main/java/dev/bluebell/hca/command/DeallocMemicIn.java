package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of DEALLOC_MEMIC. Mirrors {@code mlx5_ifc.h: mlx5_ifc_dealloc_memic_in_bits} of Linux. */
public final class DeallocMemicIn {
  private static final Structure.Definition D = Structure.define("dealloc_memic_in", 256);

  public static final Field OPCODE = D.field("opcode", 0x000, 16);
  public static final Field OP_MOD = D.field("op_mod", 0x030, 16);
  public static final Field MEMIC_START_ADDR = D.field("memic_start_addr", 0x080, 64);
  public static final Field MEMIC_SIZE = D.field("memic_size", 0x0c0, 32);

  public static final Structure STRUCTURE = D.structure();

  private DeallocMemicIn() {}
}
