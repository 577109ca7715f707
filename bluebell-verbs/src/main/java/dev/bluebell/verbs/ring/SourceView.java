package dev.bluebell.verbs.ring;

import dev.bluebell.hca.LinkLayer;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.verbs.DatagramSource;
import dev.bluebell.verbs.NetworkHeader;

/** The source of a datagram: a view of fields of a completion queue entry. */
final class SourceView implements DatagramSource {
  // In memory byte order, and converted when they are read.
  private long nativePath;
  private long nativeFlags;
  private boolean infiniBand;

  void readAs(LinkLayer layer) {
    infiniBand = layer == LinkLayer.INFINIBAND;
  }

  /** Copies the words of the entry at an address. */
  void load(long cqe) {
    nativePath = Memory.getNativeLong(cqe + Cqe.PATH_WORD);
    nativeFlags = Memory.getNativeLong(cqe + Cqe.FLAGS_RQPN_WORD);
  }

  /** The word at {@link Cqe#PATH_WORD}. */
  long path() {
    return CqeView.bigEndian(nativePath);
  }

  /** The word at {@link Cqe#FLAGS_RQPN_WORD}. */
  long flags() {
    return CqeView.bigEndian(nativeFlags);
  }

  @Override
  public int queuePairNumber() {
    return Cqe.remoteQpn(flags());
  }

  @Override
  public boolean hasHeader() {
    return Cqe.hasHeader(flags());
  }

  @Override
  public NetworkHeader.Kind headerKind() {
    long flags = flags();
    if (!hasHeader()) {
      return NetworkHeader.Kind.NONE;
    }
    // The bits of the kind are those of the service level on InfiniBand.
    return switch (infiniBand ? Cqe.L3_GLOBAL_ROUTE : Cqe.l3Type(flags)) {
      case Cqe.L3_IPV6 -> NetworkHeader.Kind.IPV6;
      case Cqe.L3_IPV4 -> NetworkHeader.Kind.IPV4;
      default -> NetworkHeader.Kind.GLOBAL_ROUTE;
    };
  }

  @Override
  public int localIdentifier() {
    return infiniBand ? Cqe.sourceLid(path()) : 0;
  }

  @Override
  public int serviceLevel() {
    return infiniBand ? Cqe.serviceLevel(flags()) : 0;
  }

  @Override
  public int pathBits() {
    return infiniBand ? Cqe.pathBits(path()) : 0;
  }

  @Override
  public String toString() {
    String link =
        infiniBand
            ? ", LID 0x%x, service level %d, path bits %d"
                .formatted(localIdentifier(), serviceLevel(), pathBits())
            : "";
    return "QP 0x%x%s, header %s".formatted(queuePairNumber(), link, headerKind());
  }
}
