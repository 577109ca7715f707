package dev.bluebell.cli.wire;

import dev.bluebell.roce.packet.LinkType;
import dev.bluebell.roce.packet.PacketView;
import dev.bluebell.roce.packet.Problem;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** Finds out whether bytes without a capture file around them are a packet. */
public final class PacketBytes {
  private static final List<LinkType> LINKS =
      List.of(LinkType.ETHERNET, LinkType.RAW_IP, LinkType.LINUX_SLL2, LinkType.LINUX_SLL);

  private PacketBytes() {}

  /** A view of the packet that the bytes are: one that a receiver would look at. */
  public static Optional<PacketView> find(byte[] bytes) {
    for (LinkType link : LINKS) {
      PacketView view = view(bytes, link);
      if (view.problem() == Problem.NONE) {
        return Optional.of(view);
      }
    }
    return Optional.empty();
  }

  /** A view of bytes that are said to be a packet, whatever is wrong with it. */
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
