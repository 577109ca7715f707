package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** The structure odp_cap. Mirrors {@code mlx5_ifc.h: mlx5_ifc_odp_cap_bits} of Linux. */
public final class OdpCap {
  private static final Structure.Definition D = Structure.define("odp_cap", 2048);

  public static final Area TRANSPORT_PAGE_FAULT_SCHEME_CAP =
      D.area("transport_page_fault_scheme_cap", 0x000, OdpSchemeCap.STRUCTURE);
  public static final Field SIG = D.field("sig", 0x040, 1);
  public static final Area RC_ODP_CAPS =
      D.area("rc_odp_caps", 0x080, OdpPerTransportServiceCap.STRUCTURE);
  public static final Area UC_ODP_CAPS =
      D.area("uc_odp_caps", 0x0a0, OdpPerTransportServiceCap.STRUCTURE);
  public static final Area UD_ODP_CAPS =
      D.area("ud_odp_caps", 0x0c0, OdpPerTransportServiceCap.STRUCTURE);
  public static final Area XRC_ODP_CAPS =
      D.area("xrc_odp_caps", 0x0e0, OdpPerTransportServiceCap.STRUCTURE);
  public static final Area DC_ODP_CAPS =
      D.area("dc_odp_caps", 0x100, OdpPerTransportServiceCap.STRUCTURE);
  public static final Area MEMORY_PAGE_FAULT_SCHEME_CAP =
      D.area("memory_page_fault_scheme_cap", 0x200, OdpSchemeCap.STRUCTURE);
  public static final Field MEM_PAGE_FAULT = D.field("mem_page_fault", 0x600, 1);

  public static final Structure STRUCTURE = D.structure();

  private OdpCap() {}
}
