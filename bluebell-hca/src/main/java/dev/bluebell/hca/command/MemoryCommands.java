package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Commands about device memory and umems, and the entries of lists of memory. */
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

  /** Input of CREATE_UMEM. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_umem_in_bits} of Linux. */
  public static final class CreateUmemIn {
    private static final Structure.Definition D = CommandHeaders.input("create_umem_in", 384);

    public static final Area UMEM = D.area("umem", 0x080, Umem.STRUCTURE);

    public static final Structure STRUCTURE = D.with("uid@010:16").structure();

    private CreateUmemIn() {}
  }

  /** Output of CREATE_UMEM. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_umem_out_bits} of Linux. */
  public static final class CreateUmemOut {
    private static final Structure.Definition D = CommandHeaders.output("create_umem_out", 128);

    public static final Structure STRUCTURE = D.with("umem_id@048:24").structure();

    private CreateUmemOut() {}
  }

  /** Input of DESTROY_UMEM. Mirrors {@code mlx5_ifc.h: mlx5_ifc_destroy_umem_in_bits} of Linux. */
  public static final class DestroyUmemIn {
    private static final Structure.Definition D = CommandHeaders.input("destroy_umem_in", 128);

    public static final Structure STRUCTURE = D.with("uid@010:16 umem_id@048:24").structure();

    private DestroyUmemIn() {}
  }

  /** User memory context. Mirrors {@code mlx5_ifc.h: mlx5_ifc_umem_bits} of Linux. */
  public static final class Umem {
    private static final Structure.Definition D = Structure.define("umem", 256);

    public static final Field ATS = D.field("ats", 0x080, 1);
    public static final Field LOG_PAGE_SIZE = D.field("log_page_size", 0x09b, 5);
    public static final Field PAGE_OFFSET = D.field("page_offset", 0x0a0, 32);
    public static final Field NUM_OF_MTT = D.field("num_of_mtt", 0x0c0, 64);

    public static final Structure STRUCTURE = D.structure();

    private Umem() {}
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
