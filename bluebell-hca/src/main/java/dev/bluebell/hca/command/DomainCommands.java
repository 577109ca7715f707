package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Commands about protection domains and XRC domains. */
public final class DomainCommands {
  /** Input of ALLOC_PD. Mirrors {@code mlx5_ifc.h: mlx5_ifc_alloc_pd_in_bits} of Linux. */
  public static final class AllocPdIn {
    public static final Structure STRUCTURE =
        CommandHeaders.input("alloc_pd_in", 128).with("uid@010:16");

    private AllocPdIn() {}
  }

  /** Output of ALLOC_PD. Mirrors {@code mlx5_ifc.h: mlx5_ifc_alloc_pd_out_bits} of Linux. */
  public static final class AllocPdOut {
    public static final Structure STRUCTURE = CommandHeaders.output("alloc_pd_out", 128);
    public static final Field PD = STRUCTURE.field("pd", 0x048, 24);

    private AllocPdOut() {}
  }

  /** Input of DEALLOC_PD. Mirrors {@code mlx5_ifc.h: mlx5_ifc_dealloc_pd_in_bits} of Linux. */
  public static final class DeallocPdIn {
    public static final Structure STRUCTURE =
        CommandHeaders.input("dealloc_pd_in", 128).with("uid@010:16");
    public static final Field PD = STRUCTURE.field("pd", 0x048, 24);

    private DeallocPdIn() {}
  }

  /** Input of ALLOC_XRCD. Mirrors {@code mlx5_ifc.h: mlx5_ifc_alloc_xrcd_in_bits} of Linux. */
  public static final class AllocXrcdIn {
    public static final Structure STRUCTURE =
        CommandHeaders.input("alloc_xrcd_in", 128).with("uid@010:16");

    private AllocXrcdIn() {}
  }

  /** Output of ALLOC_XRCD. Mirrors {@code mlx5_ifc.h: mlx5_ifc_alloc_xrcd_out_bits} of Linux. */
  public static final class AllocXrcdOut {
    public static final Structure STRUCTURE = CommandHeaders.output("alloc_xrcd_out", 128);
    public static final Field XRCD = STRUCTURE.field("xrcd", 0x048, 24);

    private AllocXrcdOut() {}
  }

  /** Input of DEALLOC_XRCD. Mirrors {@code mlx5_ifc.h: mlx5_ifc_dealloc_xrcd_in_bits} of Linux. */
  public static final class DeallocXrcdIn {
    public static final Structure STRUCTURE =
        CommandHeaders.input("dealloc_xrcd_in", 128).with("uid@010:16");
    public static final Field XRCD = STRUCTURE.field("xrcd", 0x048, 24);

    private DeallocXrcdIn() {}
  }

  private DomainCommands() {}
}
