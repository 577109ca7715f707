package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Commands about device memory, and the entries of lists of memory. */
public final class MemoryCommands {
  /** Input of ALLOC_MEMIC. Mirrors {@code mlx5_ifc.h: mlx5_ifc_alloc_memic_in_bits} of Linux. */
  public static final class AllocMemicIn {
    public static final Structure STRUCTURE = CommandHeaders.input("alloc_memic_in", 256);
    public static final Field LOG_MEMIC_ADDR_ALIGNMENT =
        STRUCTURE.field("log_memic_addr_alignment", 0x078, 8);
    public static final Field RANGE_START_ADDR = STRUCTURE.field("range_start_addr", 0x080, 64);
    public static final Field RANGE_SIZE = STRUCTURE.field("range_size", 0x0c0, 32);
    public static final Field MEMIC_SIZE = STRUCTURE.field("memic_size", 0x0e0, 32);

    private AllocMemicIn() {}
  }

  /** Output of ALLOC_MEMIC. Mirrors {@code mlx5_ifc.h: mlx5_ifc_alloc_memic_out_bits} of Linux. */
  public static final class AllocMemicOut {
    public static final Structure STRUCTURE = CommandHeaders.output("alloc_memic_out", 128);
    public static final Field MEMIC_START_ADDR = STRUCTURE.field("memic_start_addr", 0x040, 64);

    private AllocMemicOut() {}
  }

  /**
   * Input of DEALLOC_MEMIC. Mirrors {@code mlx5_ifc.h: mlx5_ifc_dealloc_memic_in_bits} of Linux.
   */
  public static final class DeallocMemicIn {
    public static final Structure STRUCTURE = CommandHeaders.input("dealloc_memic_in", 256);
    public static final Field MEMIC_START_ADDR = STRUCTURE.field("memic_start_addr", 0x080, 64);
    public static final Field MEMIC_SIZE = STRUCTURE.field("memic_size", 0x0c0, 32);

    private DeallocMemicIn() {}
  }

  /** One entry of an indirect memory key. Mirrors {@code mlx5_prm.h: mlx5_ifc_klm_bits} of DPDK. */
  public static final class Klm {
    public static final Structure STRUCTURE = Structure.define("klm", 128);
    public static final Field BYTE_COUNT = STRUCTURE.field("byte_count", 0x000, 32);
    public static final Field MKEY = STRUCTURE.field("mkey", 0x020, 32);
    public static final Field ADDRESS = STRUCTURE.field("address", 0x040, 64);

    private Klm() {}
  }

  private MemoryCommands() {}
}
