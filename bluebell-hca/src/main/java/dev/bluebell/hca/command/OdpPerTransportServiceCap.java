package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * The structure odp_per_transport_service_cap. Mirrors {@code mlx5_ifc.h:
 * mlx5_ifc_odp_per_transport_service_cap_bits} of Linux.
 */
public final class OdpPerTransportServiceCap {
  private static final Structure.Definition D =
      Structure.define("odp_per_transport_service_cap", 32);

  public static final Field SEND = D.field("send", 0x000, 1);
  public static final Field RECEIVE = D.field("receive", 0x001, 1);
  public static final Field WRITE = D.field("write", 0x002, 1);
  public static final Field READ = D.field("read", 0x003, 1);
  public static final Field ATOMIC = D.field("atomic", 0x004, 1);
  public static final Field SRQ_RECEIVE = D.field("srq_receive", 0x005, 1);

  public static final Structure STRUCTURE = D.structure();

  private OdpPerTransportServiceCap() {}
}
