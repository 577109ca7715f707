package dev.bluebell.uverbs.cm;

import dev.bluebell.hca.uverbs.RdmaCm;

/**
 * Where a request goes, and where it is from.
 *
 * @param space port space of both ports
 * @param type of queue pair, see {@link QpKind}
 */
record Route(int space, int type, CmAddress source, CmAddress destination, CmPath path) {
  /** Bytes of private data in which the kernel sends the addresses of IPv4 and IPv6. */
  private static final int HEADER_BYTES = 36;

  /**
   * Bytes of private data that a request has room for.
   *
   * @param all that a message has
   */
  int room(int all) {
    return source.isIb() ? all : all - HEADER_BYTES;
  }

  /** An address and its port space, as the programs' authors write them. */
  static String describe(CmAddress address, int space) {
    String name =
        switch (space) {
          case RdmaCm.PS_TCP -> "RDMA_PS_TCP";
          case RdmaCm.PS_UDP -> "RDMA_PS_UDP";
          case RdmaCm.PS_IB -> "RDMA_PS_IB";
          case RdmaCm.PS_IPOIB -> "RDMA_PS_IPOIB";
          default -> "port space 0x%x".formatted(space);
        };
    return "%s (%s)".formatted(address, name);
  }

  @Override
  public String toString() {
    return describe(destination, space);
  }
}
