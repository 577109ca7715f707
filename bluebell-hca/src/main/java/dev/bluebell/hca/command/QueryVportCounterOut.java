package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * Output of QUERY_VPORT_COUNTER: packets and octets of each kind. Mirrors {@code mlx5_ifc.h:
 * mlx5_ifc_query_vport_counter_out_bits, mlx5_ifc_traffic_counter_bits} of Linux.
 */
public final class QueryVportCounterOut {
  private static final Structure.Definition D = Structure.define("query_vport_counter_out", 4224);

  public static final Field STATUS = D.field("status", 0x000, 8);
  public static final Field SYNDROME = D.field("syndrome", 0x020, 32);
  public static final Field RECEIVED_ERRORS_PACKETS = D.field("received_errors.packets", 0x080, 64);
  public static final Field RECEIVED_ERRORS_OCTETS = D.field("received_errors.octets", 0x0c0, 64);
  public static final Field TRANSMIT_ERRORS_PACKETS = D.field("transmit_errors.packets", 0x100, 64);
  public static final Field TRANSMIT_ERRORS_OCTETS = D.field("transmit_errors.octets", 0x140, 64);
  public static final Field RECEIVED_IB_UNICAST_PACKETS =
      D.field("received_ib_unicast.packets", 0x180, 64);
  public static final Field RECEIVED_IB_UNICAST_OCTETS =
      D.field("received_ib_unicast.octets", 0x1c0, 64);
  public static final Field TRANSMITTED_IB_UNICAST_PACKETS =
      D.field("transmitted_ib_unicast.packets", 0x200, 64);
  public static final Field TRANSMITTED_IB_UNICAST_OCTETS =
      D.field("transmitted_ib_unicast.octets", 0x240, 64);
  public static final Field RECEIVED_IB_MULTICAST_PACKETS =
      D.field("received_ib_multicast.packets", 0x280, 64);
  public static final Field RECEIVED_IB_MULTICAST_OCTETS =
      D.field("received_ib_multicast.octets", 0x2c0, 64);
  public static final Field TRANSMITTED_IB_MULTICAST_PACKETS =
      D.field("transmitted_ib_multicast.packets", 0x300, 64);
  public static final Field TRANSMITTED_IB_MULTICAST_OCTETS =
      D.field("transmitted_ib_multicast.octets", 0x340, 64);
  public static final Field RECEIVED_ETH_BROADCAST_PACKETS =
      D.field("received_eth_broadcast.packets", 0x380, 64);
  public static final Field RECEIVED_ETH_BROADCAST_OCTETS =
      D.field("received_eth_broadcast.octets", 0x3c0, 64);
  public static final Field TRANSMITTED_ETH_BROADCAST_PACKETS =
      D.field("transmitted_eth_broadcast.packets", 0x400, 64);
  public static final Field TRANSMITTED_ETH_BROADCAST_OCTETS =
      D.field("transmitted_eth_broadcast.octets", 0x440, 64);
  public static final Field RECEIVED_ETH_UNICAST_PACKETS =
      D.field("received_eth_unicast.packets", 0x480, 64);
  public static final Field RECEIVED_ETH_UNICAST_OCTETS =
      D.field("received_eth_unicast.octets", 0x4c0, 64);
  public static final Field TRANSMITTED_ETH_UNICAST_PACKETS =
      D.field("transmitted_eth_unicast.packets", 0x500, 64);
  public static final Field TRANSMITTED_ETH_UNICAST_OCTETS =
      D.field("transmitted_eth_unicast.octets", 0x540, 64);
  public static final Field RECEIVED_ETH_MULTICAST_PACKETS =
      D.field("received_eth_multicast.packets", 0x580, 64);
  public static final Field RECEIVED_ETH_MULTICAST_OCTETS =
      D.field("received_eth_multicast.octets", 0x5c0, 64);
  public static final Field TRANSMITTED_ETH_MULTICAST_PACKETS =
      D.field("transmitted_eth_multicast.packets", 0x600, 64);
  public static final Field TRANSMITTED_ETH_MULTICAST_OCTETS =
      D.field("transmitted_eth_multicast.octets", 0x640, 64);

  public static final Structure STRUCTURE = D.structure();

  private QueryVportCounterOut() {}
}
