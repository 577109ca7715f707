package dev.bluebell.verbs;

import dev.bluebell.hca.Gid;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * A view of the network header in front of a received datagram. One view can be {@linkplain #at
 * moved} from datagram to datagram. The sender or a router on the way wrote its contents: do not
 * trust them. Not thread-safe.
 *
 * <p>The layout is that of InfiniBand's global route header, which equals IPv6's, or that of IPv4's
 * header in the last 20 bytes: {@code rdma/ib_verbs.h: rdma_network_hdr}.
 */
public final class NetworkHeader {
  /** Bytes that are reserved for a header of any kind. */
  public static final int BYTES = 40;

  private static final int IPV4_AT = 20;
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  /** Kinds of header. */
  public enum Kind {
    /** No header: the 40 bytes are undefined. */
    NONE,
    /** A global route header of InfiniBand or RoCEv1. */
    GLOBAL_ROUTE,
    /** An IPv6 header of RoCEv2. */
    IPV6,
    /** An IPv4 header of RoCEv2, in the last 20 of the 40 bytes. */
    IPV4
  }

  private MemorySegment memory = MemorySegment.NULL;
  private long offset;
  private Kind kind = Kind.NONE;

  /**
   * Moves the view.
   *
   * @param buffer memory that the datagram was received into
   * @param start offset of the header, which is the start of the receive request's first entry
   * @param headerKind as {@link DatagramSource#headerKind} returns it
   * @return this view
   * @throws IndexOutOfBoundsException when the header exceeds the buffer
   */
  public NetworkHeader at(MemorySegment buffer, long start, Kind headerKind) {
    Objects.checkFromIndexSize(start, BYTES, buffer.byteSize());
    memory = buffer;
    offset = headerKind == Kind.IPV4 ? start + IPV4_AT : start;
    kind = headerKind;
    return this;
  }

  public Kind kind() {
    return kind;
  }

  /** Source GID of the datagram; for IPv4, {@code ::ffff:a.b.c.d}. */
  public Gid source() {
    return kind == Kind.IPV4 ? Gid.ofIpv4(integer(12)) : new Gid(word(8), word(16));
  }

  /** Destination GID of the datagram; for IPv4, {@code ::ffff:a.b.c.d}. */
  public Gid destination() {
    return kind == Kind.IPV4 ? Gid.ofIpv4(integer(16)) : new Gid(word(24), word(32));
  }

  /** Traffic class, 0 … 255. */
  public int trafficClass() {
    return kind == Kind.IPV4 ? integer(0) >>> 16 & 0xff : integer(0) >>> 20 & 0xff;
  }

  /** Flow label, 20 bits; 0 for IPv4, which has none. */
  public int flowLabel() {
    return kind == Kind.IPV4 ? 0 : integer(0) & 0xfffff;
  }

  /** Hop limit on arrival, 0 … 255. */
  public int hopLimit() {
    return kind == Kind.IPV4 ? integer(8) >>> 24 : integer(4) & 0xff;
  }

  private int integer(int at) {
    requireHeader();
    return memory.get(INT, offset + at);
  }

  private long word(int at) {
    requireHeader();
    return memory.get(LONG, offset + at);
  }

  private void requireHeader() {
    if (kind == Kind.NONE) {
      throw new IllegalStateException("the datagram came without a network header");
    }
  }
}
