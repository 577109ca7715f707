package dev.bluebell.uverbs.cm;

import dev.bluebell.hca.uverbs.RdmaCm;
import dev.bluebell.hca.uverbs.Verbs;

/**
 * The source, destination and path of a request.
 *
 * @param space port space of both ports
 * @param type of the queue pair at the source, as in {@link Verbs}
 */
record Route(int space, int type, CmAddress source, CmAddress destination, CmPath path) {
  /** Bytes of private data that the kernel uses for IPv4 and IPv6 addresses. */
  private static final int HEADER_BYTES = 36;

  /**
   * Bytes of private data that a client may send in a request.
   *
   * @param all room of the message
   */
  int room(int all) {
    return source.isIb() ? all : all - HEADER_BYTES;
  }

  /** The type of the queue pair at the destination. */
  int otherType() {
    return type == Verbs.QPT_XRC_INI ? Verbs.QPT_XRC_TGT : type;
  }

  /** An address and its port space, as text with the names of the C headers. */
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
