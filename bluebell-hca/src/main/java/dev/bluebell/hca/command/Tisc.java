package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** TIS context. Mirrors {@code mlx5_ifc.h: mlx5_ifc_tisc_bits} of Linux. */
public final class Tisc {
  private static final Structure.Definition D = Structure.define("tisc", 1280);

  public static final Field STRICT_LAG_TX_PORT_AFFINITY =
      D.field("strict_lag_tx_port_affinity", 0x000, 1);
  public static final Field TLS_EN = D.field("tls_en", 0x001, 1);
  public static final Field LAG_TX_PORT_AFFINITY = D.field("lag_tx_port_affinity", 0x004, 4);
  public static final Field PRIO = D.field("prio", 0x00c, 4);
  public static final Field TRANSPORT_DOMAIN = D.field("transport_domain", 0x128, 24);
  public static final Field UNDERLAY_QPN = D.field("underlay_qpn", 0x148, 24);
  public static final Field PD = D.field("pd", 0x168, 24);

  public static final Structure STRUCTURE = D.structure();

  private Tisc() {}
}
