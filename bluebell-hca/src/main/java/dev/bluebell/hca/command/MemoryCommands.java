package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Commands about device memory, and the entries of lists of memory. */
public final class MemoryCommands {
  /** Input of ALLOC_MEMIC. Mirrors {@code mlx5_ifc.h: mlx5_ifc_alloc_memic_in_bits} of Linux. */
  public static final class AllocMemicIn {
    private static final Structure.Definition D = CommandHeaders.input("alloc_memic_in", 256);

    public static final Field LOG_MEMIC_ADDR_ALIGNMENT =
        D.field("log_memic_addr_alignment", 0x078, 8);
    public static final Field RANGE_START_ADDR = D.field("range_start_addr", 0x080, 64);
    public static final Field RANGE_SIZE = D.field("range_size", 0x0c0, 32);
    public static final Field MEMIC_SIZE = D.field("memic_size", 0x0e0, 32);

    public static final Structure STRUCTURE = D.structure();

    private AllocMemicIn() {}
  }

  /** Output of ALLOC_MEMIC. Mirrors {@code mlx5_ifc.h: mlx5_ifc_alloc_memic_out_bits} of Linux. */
  public static final class AllocMemicOut {
    private static final Structure.Definition D = CommandHeaders.output("alloc_memic_out", 128);

    public static final Field MEMIC_START_ADDR = D.field("memic_start_addr", 0x040, 64);

    public static final Structure STRUCTURE = D.structure();

    private AllocMemicOut() {}
  }

  /**
   * Input of DEALLOC_MEMIC. Mirrors {@code mlx5_ifc.h: mlx5_ifc_dealloc_memic_in_bits} of Linux.
   */
  public static final class DeallocMemicIn {
    private static final Structure.Definition D = CommandHeaders.input("dealloc_memic_in", 256);

    public static final Field MEMIC_START_ADDR = D.field("memic_start_addr", 0x080, 64);
    public static final Field MEMIC_SIZE = D.field("memic_size", 0x0c0, 32);

    public static final Structure STRUCTURE = D.structure();

    private DeallocMemicIn() {}
  }

  /** One entry of an indirect memory key. Mirrors {@code mlx5_prm.h: mlx5_ifc_klm_bits} of DPDK. */
  public static final class Klm {
    private static final Structure.Definition D = Structure.define("klm", 128);

    public static final Field BYTE_COUNT = D.field("byte_count", 0x000, 32);
    public static final Field MKEY = D.field("mkey", 0x020, 32);
    public static final Field ADDRESS = D.field("address", 0x040, 64);

    public static final Structure STRUCTURE = D.structure();

    private Klm() {}
  }

  private MemoryCommands() {}
}
