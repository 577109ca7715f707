package dev.bluebell.roce.packet;

import java.util.List;
import java.util.Optional;

/** All headers that packets of RoCE and InfiniBand can have. */
public final class Headers {
  public static final List<Header> ALL =
      List.of(
          Ethernet.HEADER,
          Vlan.HEADER,
          Sll.HEADER,
          Sll2.HEADER,
          Lrh.HEADER,
          Grh.HEADER,
          Ipv4.HEADER,
          Ipv6.HEADER,
          Udp.HEADER,
          Bth.HEADER,
          Deth.HEADER,
          XrcEth.HEADER,
          Reth.HEADER,
          AtomicEth.HEADER,
          Aeth.HEADER,
          AtomicAckEth.HEADER,
          ImmDt.HEADER,
          Ieth.HEADER,
          Feth.HEADER,
          Cnp.HEADER);

  private Headers() {}

  /** The header with a name. */
  public static Optional<Header> of(String name) {
    return ALL.stream().filter(header -> header.name().equals(name)).findFirst();
  }
}
