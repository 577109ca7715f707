package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * The structure odp_scheme_cap. Mirrors {@code ib_mlx5_ifc.h: mlx5_ifc_odp_scheme_cap_bits} of UCX.
 */
public final class OdpSchemeCap {
  private static final Structure.Definition D = Structure.define("odp_scheme_cap", 512);

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

  public static final Structure STRUCTURE = D.structure();

  private OdpSchemeCap() {}
}
