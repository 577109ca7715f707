package dev.bluebell.uverbs.device;

import dev.bluebell.hca.command.Capabilities.OdpCap;
import dev.bluebell.hca.command.Capabilities.OdpPerTransportServiceCap;
import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.View;
import java.util.List;

/**
 * The device's capabilities of memory on demand, as the kernel's bits. Mirrors {@code mlx5_ib
 * odp.c: internal_fill_odp_caps}.
 */
final class OnDemand {
  // ib_verbs.h: ib_odp_general_cap_bits.
  private static final int SUPPORT = 1;
  private static final int IMPLICIT = 1 << 1;

  /** The operations in the order of {@code ib_verbs.h: ib_odp_transport_cap_bits}. */
  private static final List<Field> OPERATIONS =
      List.of(
          OdpPerTransportServiceCap.SEND,
          OdpPerTransportServiceCap.RECEIVE,
          OdpPerTransportServiceCap.WRITE,
          OdpPerTransportServiceCap.READ,
          OdpPerTransportServiceCap.ATOMIC,
          OdpPerTransportServiceCap.SRQ_RECEIVE);

  private final View capability;

  /**
   * @param capability {@link OdpCap}; all 0 for a device that has no memory on demand
   */
  OnDemand(View capability) {
    this.capability = capability;
  }

  /** The supported operations of a service. */
  int of(Area service) {
    View operations = capability.at(service);
    int bits = 0;
    for (int i = 0; i < OPERATIONS.size(); i++) {
      bits |= operations.isSet(OPERATIONS.get(i)) ? 1 << i : 0;
    }
    return bits;
  }

  /** The capabilities common to all services. */
  int general() {
    return of(OdpCap.RC_ODP_CAPS) == 0 ? 0 : SUPPORT | IMPLICIT;
  }
}
