package dev.bluebell.softnic.option;

import dev.bluebell.hca.LinkLayer;
import dev.bluebell.hca.command.PathMtu;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The link and network options of a device.
 *
 * @param layer Ethernet or InfiniBand
 * @param identity the number from which its Ethernet address or LID, GUID, GIDs and first QPN are
 *     derived, 1 … 2^24 − 2; 0 for a number that no other local device has
 * @param mtu largest path MTU that its link carries, in bytes: 256, 512, 1024, 2048 or 4096. A
 *     network of 1500 bytes carries 1024
 * @param lmc InfiniBand: low bits of the LID that the port ignores, 0 … 7
 * @param partitionKeys InfiniBand: the first entries of the partition key table, 16 bits each, at
 *     most 128; others are empty
 * @param listen Ethernet: the address at which the device sends and receives RoCEv2 over UDP; null
 *     when its queue pairs reach only each other
 * @param hairpin true when packets between its own queue pairs go over the network, too
 * @param frames the cable on which the device is a host with the address {@code listen}; null when
 *     that is an address of this machine, whose kernel carries the packets
 * @param congestion the reaction to congestion notifications, which come only from a network
 */
public record LinkOptions(
    LinkLayer layer,
    int identity,
    int mtu,
    int lmc,
    List<Integer> partitionKeys,
    @Nullable InetAddress listen,
    boolean hairpin,
    @Nullable FramePorts frames,
    CongestionControl congestion) {
  /**
   * Device numbers are 1 … 2^24 − 2: 0 and 2^24 − 1 would give a network and a broadcast address.
   */
  public static final int MAX_IDENTITY = (1 << 24) - 2;

  /** The most low bits of the LID that a port may ignore. */
  public static final int MAX_LMC = 7;

  /**
   * Bytes of the largest headers, as Linux counts them ({@code ib_addr.h: iboe_get_mtu}): IPv6 40,
   * UDP 8, BTH 12, XRCETH 4, AtomicETH 28, ICRC 4.
   */
  private static final int HEADER_BYTES = 96;

  /** Entries of the partition key table of an InfiniBand port. */
  public static final int PARTITION_KEYS = 128;

  /** The key of a full member of the default partition. */
  public static final int DEFAULT_PARTITION_KEY = 0xffff;

  /** Ethernet, a unique number, the largest MTU, and the default partition. */
  public static final LinkOptions DEFAULT =
      new LinkOptions(
          LinkLayer.ETHERNET,
          0,
          PathMtu.bytes(PathMtu.LARGEST),
          0,
          List.of(DEFAULT_PARTITION_KEY),
          null,
          false,
          null,
          CongestionControl.OFF);

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException when a value is out of range, or is for the other link layer
   */
  public LinkOptions {
    partitionKeys = List.copyOf(partitionKeys);
    if (identity < 0 || identity > MAX_IDENTITY) {
      throw new IllegalArgumentException(
          "identity=%d of device soft: it must be a number from 1 to %d"
              .formatted(identity, MAX_IDENTITY));
    }
    if (lmc < 0 || lmc > MAX_LMC) {
      throw new IllegalArgumentException(
          "lmc=%d of device soft: it must be a number of bits from 0 to %d"
              .formatted(lmc, MAX_LMC));
    }
    if (partitionKeys.isEmpty()
        || partitionKeys.size() > PARTITION_KEYS
        || partitionKeys.stream().anyMatch(key -> key >>> 16 != 0)) {
      throw new IllegalArgumentException(
          "pkeys=%s of device soft: the partition key table has 1 to %d keys of 16 bits"
              .formatted(text(partitionKeys), PARTITION_KEYS));
    }
    if (listen != null && layer == LinkLayer.INFINIBAND) {
      throw new IllegalArgumentException(
          "listen=%s of device soft: an InfiniBand port has no UDP; leave out link=infiniband"
              .formatted(listen.getHostAddress()));
    }
    if (listen != null
        && (listen.isAnyLocalAddress()
            || listen.isMulticastAddress()
            || listen.isLinkLocalAddress())) {
      throw new IllegalArgumentException(
          "listen=%s of device soft: it must be one address of this machine by which peers find the device, such as 127.0.0.2 or ::1, not a multicast, wildcard or link-local address"
              .formatted(listen.getHostAddress()));
    }
    int unused = PathMtu.code(mtu);
  }

  /**
   * The largest path MTU in bytes that both {@link #mtu} and the network at {@link #listen} allow:
   * a datagram is never fragmented. With {@link #frames}, only {@link #mtu} limits it.
   */
  public int networkMtu() {
    int frame = frame();
    int fitting = PathMtu.LARGEST;
    while (fitting > PathMtu.SMALLEST && PathMtu.bytes(fitting) > frame - HEADER_BYTES) {
      fitting--;
    }
    return Math.min(mtu, PathMtu.bytes(fitting));
  }

  /** Bytes of the largest IP packet at the address. */
  private int frame() {
    try {
      // The loopback interface lists only its first address.
      NetworkInterface there =
          listen == null || frames != null ? null : NetworkInterface.getByInetAddress(listen);
      return there == null ? Integer.MAX_VALUE : there.getMTU();
    } catch (SocketException e) {
      return Integer.MAX_VALUE;
    }
  }

  /**
   * Checks that no option is set that needs InfiniBand or a network which the device does not have.
   *
   * @throws IllegalArgumentException when one is set
   */
  void requireFitting() {
    if (hairpin && listen == null) {
      throw new IllegalArgumentException(
          "hairpin of device soft sends the device's packets to itself over the network: add"
              + " listen=ADDRESS");
    }
    if (congestion != CongestionControl.OFF && listen == null) {
      throw new IllegalArgumentException(
          "congestion of device soft controls its traffic over a network: add listen=ADDRESS");
    }
    if (frames != null && (listen == null || listen.isLoopbackAddress() || hairpin)) {
      throw new IllegalArgumentException(
          "frames=%s of device soft makes it a host on an Ethernet, which needs an address that other hosts send to: add listen=ADDRESS, such as 10.0.0.1, and leave out hairpin"
              .formatted(frames));
    }
    if (layer == LinkLayer.ETHERNET && (lmc != 0 || !partitionKeys.equals(DEFAULT.partitionKeys))) {
      throw new IllegalArgumentException(
          "lmc and pkeys of device soft are options of an InfiniBand port: add link=infiniband");
    }
  }

  private static String text(List<Integer> keys) {
    return String.join("+", keys.stream().map("0x%04x"::formatted).toList());
  }

  /** A mutable copy of the options. */
  static final class Parts {
    LinkLayer layer;
    int identity;
    int mtu;
    int lmc;
    List<Integer> partitionKeys;
    @Nullable InetAddress listen;
    boolean hairpin;
    @Nullable FramePorts frames;
    CongestionControl congestion;

    private Parts(LinkOptions from) {
      layer = from.layer;
      identity = from.identity;
      mtu = from.mtu;
      lmc = from.lmc;
      partitionKeys = from.partitionKeys;
      listen = from.listen;
      hairpin = from.hairpin;
      frames = from.frames;
      congestion = from.congestion;
    }
  }

  LinkOptions with(Consumer<Parts> change) {
    Parts to = new Parts(this);
    change.accept(to);
    return new LinkOptions(
        to.layer,
        to.identity,
        to.mtu,
        to.lmc,
        to.partitionKeys,
        to.listen,
        to.hairpin,
        to.frames,
        to.congestion);
  }
}
