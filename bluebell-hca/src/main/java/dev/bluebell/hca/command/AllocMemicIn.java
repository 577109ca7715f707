package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of ALLOC_MEMIC. Mirrors {@code mlx5_ifc.h: mlx5_ifc_alloc_memic_in_bits} of Linux. */
public final class AllocMemicIn {
  private static final Structure.Definition D = Structure.define("alloc_memic_in", 256);

  public static final Field OPCODE = D.field("opcode", 0x000, 16);
  public static final Field OP_MOD = D.field("op_mod", 0x030, 16);
  public static final Field LOG_MEMIC_ADDR_ALIGNMENT =
      D.field("log_memic_addr_alignment", 0x078, 8);
  public static final Field RANGE_START_ADDR = D.field("range_start_addr", 0x080, 64);
  public static final Field RANGE_SIZE = D.field("range_size", 0x0c0, 32);
  public static final Field MEMIC_SIZE = D.field("memic_size", 0x0e0, 32);

  public static final Structure STRUCTURE = D.structure();

  private AllocMemicIn() {}
}
