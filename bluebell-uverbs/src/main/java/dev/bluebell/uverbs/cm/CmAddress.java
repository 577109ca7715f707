package dev.bluebell.uverbs.cm;

import dev.bluebell.hca.Gid;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * An address and port, as a {@code sockaddr} of IPv4, IPv6 or InfiniBand. Mirrors {@code
 * linux/in.h: sockaddr_in}, {@code linux/in6.h: sockaddr_in6} and {@code rdma/ib.h: sockaddr_ib}.
 * Immutable.
 */
final class CmAddress {
  static final int INET = 2;
  static final int INET6 = 10;
  static final int IB = 27;

  /** No address: family 0, no bytes. */
  static final CmAddress NONE = new CmAddress(new byte[0]);

  private static final int INET_BYTES = 16;
  private static final int INET6_BYTES = 28;
  private static final int IB_BYTES = 48;

  private static final int PORT = 2;
  private static final int INET_ADDRESS = 4;
  private static final int INET6_ADDRESS = 8;
  private static final int INET6_SCOPE = 24;
  private static final int IB_ADDRESS = 8;
  private static final int IB_SERVICE = 24;
  private static final int IB_SERVICE_MASK = 32;

  /** Of {@link Inet6Address}. */
  private static final int NO_SCOPE = -1;

  private static final int GID_BYTES = 16;
  private static final int IPV4_BYTES = 4;
  private static final int LINK_LOCAL = 0xfe80;
  private static final int LINK_LOCAL_MASK = 0xffc0;

  private final byte[] bytes;

  private CmAddress(byte[] bytes) {
    this.bytes = bytes;
  }

  /** The address at the start of some bytes; {@link #NONE} when there is none. */
  static CmAddress of(byte[] sockaddr) {
    int family = sockaddr.length < Short.BYTES ? 0 : sockaddr[0] & 0xff | (sockaddr[1] & 0xff) << 8;
    int size = size(family);
    return size == 0 || size > sockaddr.length
        ? NONE
        : new CmAddress(Arrays.copyOf(sockaddr, size));
  }

  /** The loopback address with a port. */
  static CmAddress loopback(int family, int port) {
    byte[] bytes = new byte[size(family)];
    bytes[0] = (byte) family;
    if (family == INET) {
      bytes[INET_ADDRESS] = 127;
      bytes[INET_ADDRESS + 3] = 1;
    } else {
      bytes[INET6_ADDRESS + GID_BYTES - 1] = 1;
    }
    return new CmAddress(bytes).withPort(port);
  }

  /** The IPv4 or IPv6 address that a GID maps to, with a port. */
  static CmAddress of(Gid gid, int port) {
    boolean isIpv4 = gid.isIpv4();
    byte[] bytes = new byte[isIpv4 ? INET_BYTES : INET6_BYTES];
    bytes[0] = (byte) (isIpv4 ? INET : INET6);
    if (isIpv4) {
      ByteBuffer.wrap(bytes).putInt(INET_ADDRESS, (int) gid.low());
    } else {
      System.arraycopy(gid.bytes(), 0, bytes, INET6_ADDRESS, GID_BYTES);
    }
    return new CmAddress(bytes).withPort(port);
  }

  /** The wildcard address of a family, with port 0. */
  static CmAddress any(int family) {
    byte[] bytes = new byte[size(family)];
    bytes[0] = (byte) family;
    return new CmAddress(bytes);
  }

  /**
   * An InfiniBand address of a GID and a service.
   *
   * @param service 64 bits, all significant
   */
  static CmAddress ofGid(Gid gid, int partition, long service) {
    byte[] bytes = new byte[IB_BYTES];
    bytes[0] = IB;
    ByteBuffer.wrap(bytes)
        .putShort(PORT, (short) partition)
        .putLong(IB_SERVICE, service)
        .putLong(IB_SERVICE_MASK, -1);
    System.arraycopy(gid.bytes(), 0, bytes, IB_ADDRESS, GID_BYTES);
    return new CmAddress(bytes);
  }

  private static int size(int family) {
    return switch (family) {
      case INET -> INET_BYTES;
      case INET6 -> INET6_BYTES;
      case IB -> IB_BYTES;
      default -> 0;
    };
  }

  int family() {
    return bytes.length == 0 ? 0 : bytes[0] & 0xff;
  }

  /** Bytes of the {@code sockaddr}; 0 for {@link #NONE}. */
  int size() {
    return bytes.length;
  }

  boolean isIb() {
    return family() == IB;
  }

  /** The {@code sockaddr}, padded with zeros. */
  byte[] bytes(int length) {
    return Arrays.copyOf(bytes, length);
  }

  int port() {
    return isIb()
        ? (int) service() & 0xffff
        : Short.toUnsignedInt(ByteBuffer.wrap(bytes).getShort(PORT));
  }

  CmAddress withPort(int port) {
    byte[] other = bytes.clone();
    if (isIb()) {
      ByteBuffer.wrap(other).putLong(IB_SERVICE, service() & ~0xffffL | port);
    } else {
      ByteBuffer.wrap(other).putShort(PORT, (short) port);
    }
    return new CmAddress(other);
  }

  /** The service ID of an InfiniBand address; each port space is a range of service IDs. */
  long service() {
    return ByteBuffer.wrap(bytes).getLong(IB_SERVICE);
  }

  /** Mask of the significant bits of the service. */
  long serviceMask() {
    return ByteBuffer.wrap(bytes).getLong(IB_SERVICE_MASK);
  }

  /** The same address with another service, all bits significant. */
  CmAddress withService(long service) {
    byte[] other = bytes.clone();
    ByteBuffer.wrap(other).putLong(IB_SERVICE, service).putLong(IB_SERVICE_MASK, -1);
    return new CmAddress(other);
  }

  /** The address without its port, mapped to a GID. */
  Gid gid() {
    return switch (family()) {
      case INET -> Gid.ofIpv4(ByteBuffer.wrap(bytes).getInt(INET_ADDRESS));
      case INET6 -> Gid.of(Arrays.copyOfRange(bytes, INET6_ADDRESS, INET6_ADDRESS + GID_BYTES));
      case IB -> Gid.of(Arrays.copyOfRange(bytes, IB_ADDRESS, IB_ADDRESS + GID_BYTES));
      default -> Gid.ZERO;
    };
  }

  /** True for the wildcard address of a family. */
  boolean isAny() {
    return family() == INET
        ? ByteBuffer.wrap(bytes).getInt(INET_ADDRESS) == 0
        : gid().equals(Gid.ZERO);
  }

  /** True for an IPv4 or IPv6 multicast address. */
  boolean isGroup() {
    return !isIb() && bytes.length > 0 && host().isMulticastAddress();
  }

  boolean isSameHost(CmAddress other) {
    return family() == other.family() && gid().equals(other.gid());
  }

  /** True for an IPv6 address that needs a scope and has none. */
  boolean lacksScope() {
    return family() == INET6
        && (Short.toUnsignedInt(ByteBuffer.wrap(bytes).getShort(INET6_ADDRESS)) & LINK_LOCAL_MASK)
            == LINK_LOCAL
        && scope() == 0;
  }

  /** The index of the interface of an IPv6 address; 0 for none. */
  private int scope() {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(INET6_SCOPE);
  }

  /**
   * The host of an IPv4 or IPv6 address. An IPv6 address that contains an IPv4 address stays one.
   */
  InetAddress host() {
    try {
      return family() == INET
          ? InetAddress.getByAddress(
              Arrays.copyOfRange(bytes, INET_ADDRESS, INET_ADDRESS + IPV4_BYTES))
          : Inet6Address.getByAddress(
              null,
              Arrays.copyOfRange(bytes, INET6_ADDRESS, INET6_ADDRESS + GID_BYTES),
              scope() == 0 ? NO_SCOPE : scope());
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public String toString() {
    return switch (family()) {
      case INET, INET6 -> "%s port %d".formatted(host().getHostAddress(), port());
      case IB -> "%s service 0x%x".formatted(gid(), service());
      default -> "no address";
    };
  }
}
