package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * Output of ALLOC_TRANSPORT_DOMAIN. Mirrors {@code mlx5_ifc.h:
 * mlx5_ifc_alloc_transport_domain_out_bits} of Linux.
 */
public final class AllocTransportDomainOut {
  private static final Structure.Definition D = Structure.define("alloc_transport_domain_out", 128);

  public static final Field STATUS = D.field("status", 0x000, 8);
  public static final Field SYNDROME = D.field("syndrome", 0x020, 32);
  public static final Field TRANSPORT_DOMAIN = D.field("transport_domain", 0x048, 24);

  public static final Structure STRUCTURE = D.structure();

  private AllocTransportDomainOut() {}
}
