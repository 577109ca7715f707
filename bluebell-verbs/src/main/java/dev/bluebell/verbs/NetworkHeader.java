package dev.bluebell.verbs;

import dev.bluebell.hca.Gid;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * A view of the network header in front of a received datagram. One view can be {@linkplain #at
 * moved} from datagram to datagram. What it shows was written by the sender or by a router on the
 * way, and proves nothing. Not thread-safe.
 *
 * <p>Layouts are those of InfiniBand's global route header, which is IPv6's, and of IPv4's in the
 * last 20 bytes: {@code rdma/ib_verbs.h: rdma_network_hdr}.
 */
public final class NetworkHeader {
  /** Bytes that are reserved for a header, whatever its kind. */
  public static final int BYTES = 40;

  private static final int IPV4_AT = 20;
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  /** Kinds of header. */
  public enum Kind {
    /** None: the 40 bytes mean nothing. */
    NONE,
    /** A global route header of InfiniBand or RoCEv1. */
    GLOBAL_ROUTE,
    /** IPv6 of RoCEv2. */
    IPV6,
    /** IPv4 of RoCEv2, in the last 20 of the 40 bytes. */
    IPV4
  }

  private MemorySegment memory = MemorySegment.NULL;
  private long offset;
  private Kind kind = Kind.NONE;

  /**
   * Moves the view.
   *
   * @param buffer memory that the datagram was received into
   * @param start of the header, which is where the receive request's first entry starts
   * @param headerKind as {@link DatagramSource#headerKind} tells
   * @return this view
   * @throws IndexOutOfBoundsException when the header is not inside the buffer
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

  /** GID that the datagram came from; of IPv4, {@code ::ffff:a.b.c.d}. */
  public Gid source() {
    return kind == Kind.IPV4 ? Gid.ofIpv4(integer(12)) : new Gid(word(8), word(16));
  }

  /** GID that the datagram went to; of IPv4, {@code ::ffff:a.b.c.d}. */
  public Gid destination() {
    return kind == Kind.IPV4 ? Gid.ofIpv4(integer(16)) : new Gid(word(24), word(32));
  }

  /** Traffic class, 0 … 255. */
  public int trafficClass() {
    return kind == Kind.IPV4 ? integer(0) >>> 16 & 0xff : integer(0) >>> 20 & 0xff;
  }

  /** Flow label, 20 bits; 0 of IPv4, which has none. */
  public int flowLabel() {
    return kind == Kind.IPV4 ? 0 : integer(0) & 0xfffff;
  }

  /** Hop limit, as it was on arrival, 0 … 255. */
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
