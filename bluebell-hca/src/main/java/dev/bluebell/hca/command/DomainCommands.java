package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Commands about protection domains and XRC domains. */
public final class DomainCommands {
  /** Input of ALLOC_PD. Mirrors {@code mlx5_ifc.h: mlx5_ifc_alloc_pd_in_bits} of Linux. */
  public static final class AllocPdIn {
    private static final Structure.Definition D = CommandHeaders.input("alloc_pd_in", 128);

    public static final Structure STRUCTURE = D.with("uid@010:16").structure();

    private AllocPdIn() {}
  }

  /** Output of ALLOC_PD. Mirrors {@code mlx5_ifc.h: mlx5_ifc_alloc_pd_out_bits} of Linux. */
  public static final class AllocPdOut {
    private static final Structure.Definition D = CommandHeaders.output("alloc_pd_out", 128);

    public static final Field PD = D.field("pd", 0x048, 24);

    public static final Structure STRUCTURE = D.structure();

    private AllocPdOut() {}
  }

  /** Input of DEALLOC_PD. Mirrors {@code mlx5_ifc.h: mlx5_ifc_dealloc_pd_in_bits} of Linux. */
  public static final class DeallocPdIn {
    private static final Structure.Definition D = CommandHeaders.input("dealloc_pd_in", 128);

    public static final Field PD = D.field("pd", 0x048, 24);

    public static final Structure STRUCTURE = D.with("uid@010:16").structure();

    private DeallocPdIn() {}
  }

  /** Input of ALLOC_XRCD. Mirrors {@code mlx5_ifc.h: mlx5_ifc_alloc_xrcd_in_bits} of Linux. */
  public static final class AllocXrcdIn {
    private static final Structure.Definition D = CommandHeaders.input("alloc_xrcd_in", 128);

    public static final Structure STRUCTURE = D.with("uid@010:16").structure();

    private AllocXrcdIn() {}
  }

  /** Output of ALLOC_XRCD. Mirrors {@code mlx5_ifc.h: mlx5_ifc_alloc_xrcd_out_bits} of Linux. */
  public static final class AllocXrcdOut {
    private static final Structure.Definition D = CommandHeaders.output("alloc_xrcd_out", 128);

    public static final Field XRCD = D.field("xrcd", 0x048, 24);

    public static final Structure STRUCTURE = D.structure();

    private AllocXrcdOut() {}
  }

  /** Input of DEALLOC_XRCD. Mirrors {@code mlx5_ifc.h: mlx5_ifc_dealloc_xrcd_in_bits} of Linux. */
  public static final class DeallocXrcdIn {
    private static final Structure.Definition D = CommandHeaders.input("dealloc_xrcd_in", 128);

    public static final Field XRCD = D.field("xrcd", 0x048, 24);

    public static final Structure STRUCTURE = D.with("uid@010:16").structure();

    private DeallocXrcdIn() {}
  }

  private DomainCommands() {}
}
