package dev.bluebell.cli.wire;

import dev.bluebell.roce.packet.LinkType;
import dev.bluebell.roce.packet.PacketView;
import dev.bluebell.roce.packet.Problem;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** Recognizes packets in bytes without a capture file around them. */
public final class PacketBytes {
  private static final List<LinkType> LINKS =
      List.of(LinkType.ETHERNET, LinkType.RAW_IP, LinkType.LINUX_SLL2, LinkType.LINUX_SLL);

  private PacketBytes() {}

  /** The packet in the bytes; empty unless a receiver would accept its headers. */
  public static Optional<PacketView> find(byte[] bytes) {
    for (LinkType link : LINKS) {
      PacketView view = view(bytes, link);
      if (view.problem() == Problem.NONE) {
        return Optional.of(view);
      }
    }
    return Optional.empty();
  }

  /** The bytes as a packet, even if it has errors. */
  public static PacketView best(byte[] bytes) {
    return find(bytes)
        .orElseGet(
            () ->
                LINKS.stream()
                    .map(link -> view(bytes, link))
                    .filter(PacketView::hasBth)
                    .findFirst()
                    .orElseGet(() -> view(bytes, LinkType.ETHERNET)));
  }

  private static PacketView view(byte[] bytes, LinkType link) {
    PacketView view = new PacketView();
    Problem unused = view.wrap(ByteBuffer.wrap(bytes), 0, bytes.length, bytes.length, link);
    return view;
  }
}
