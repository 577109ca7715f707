package dev.bluebell.softnic.port;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaPath;
import dev.bluebell.hca.LinkLayer;
import dev.bluebell.hca.command.QpCommands.Ads;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.AddressVector;
import dev.bluebell.softnic.fabric.Path;
import dev.bluebell.softnic.packet.NetworkHeader;
import dev.bluebell.softnic.packet.Origin;
import dev.bluebell.softnic.packet.Packet;
import java.security.SecureRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** An Ethernet port: peers are addressed by GID and Ethernet address, over RoCE v1 or v2. */
public final class EthernetPort extends Port {
  /** Entry of the GID table: the link-local address over RoCE v2. */
  public static final int LINK_LOCAL_V2 = 1;

  /** Entry of the GID table that clients mostly use: IPv4 over RoCE v2. */
  public static final int IPV4_V2 = 3;

  /** Smallest UDP source port of RoCE v2. */
  public static final int MIN_SOURCE_PORT = 0xc000;

  /** Locally administered unicast addresses. */
  private static final long MAC_PREFIX = 0x02_be_11_00_00_00L;

  private static final int LOOPBACK_NETWORK = 127 << 24;

  private final Gid linkLocal;
  private final Gid address;

  // Null without a network.
  private final @Nullable RandomGenerator numbers;

  /** A port whose wire is the device itself. */
  public EthernetPort(int identity, int mtu) {
    this(identity, mtu, Gid.ofIpv4(LOOPBACK_NETWORK | identity), null);
  }

  /**
   * A port with a network.
   *
   * @param address the port's address there, IPv4 or IPv6
   */
  public EthernetPort(int identity, int mtu, Gid address) {
    this(identity, mtu, address, new SecureRandom());
  }

  private EthernetPort(int identity, int mtu, Gid address, @Nullable RandomGenerator numbers) {
    super(identity, mtu);
    linkLocal = new Gid(LINK_LOCAL_PREFIX, guid());
    this.address = address;
    this.numbers = numbers;
  }

  @Override
  public LinkLayer linkLayer() {
    return LinkLayer.ETHERNET;
  }

  @Override
  public long mac() {
    return MAC_PREFIX | identity();
  }

  @Override
  public int partitionKeys() {
    return 1;
  }

  @Override
  public int partitionKey(int index) {
    return PartitionKey.DEFAULT;
  }

  /**
   * An entry of the GID table, in the usual order of a RoCE port: 0 and 1 the link-local address, 2
   * and 3 the IPv4 address, or the address on the network, each first for RoCE v1, then v2; others
   * are empty.
   */
  @Override
  public Gid gid(int index) {
    return switch (index) {
      case 0, LINK_LOCAL_V2 -> linkLocal;
      case 2, IPV4_V2 -> address;
      default -> Gid.ZERO;
    };
  }

  /** True when packets from an entry of the GID table use RoCE v1. */
  public static boolean isV1(int index) {
    return (index & 1) == 0;
  }

  @Override
  public boolean isOwn(Gid gid) {
    return gid.equals(linkLocal) || gid.equals(address) || Multicast.isGroup(gid);
  }

  /**
   * Packets leave as UDP datagrams from the port's address: over RoCE v2 only, to addresses of the
   * same family.
   */
  @Override
  public boolean reaches(int gidIndex, Gid destination) {
    return whyNotReached(gidIndex, destination).isEmpty();
  }

  /** Says why {@link #reaches} does not hold; empty when it does. */
  String whyNotReached(int gidIndex, Gid destination) {
    if (numbers == null || isOwn(destination)) {
      return "no port of this device reaches the destination GID %s (rgid)"
          .formatted(Gids.text(destination));
    }
    if (gidIndex != IPV4_V2) {
      return "entry %d of the GID table (src_addr_index) is not on the network that reaches the destination GID %s: use entry %d, RoCE v2 from %s"
          .formatted(gidIndex, Gids.text(destination), IPV4_V2, Gids.text(address));
    }
    return destination.isIpv4() == address.isIpv4()
        ? ""
        : "the destination GID %s (rgid) is of another address family than this device's %s"
            .formatted(Gids.text(destination), Gids.text(address));
  }

  @Override
  public @Nullable RandomGenerator numbers() {
    return numbers;
  }

  /** True when the port takes packets to the Ethernet address, 48 bits, of a GID. */
  boolean takes(long mac, Gid gid) {
    return mac == (Multicast.isGroup(gid) ? Multicast.mac(gid) : mac());
  }

  @Override
  public String whyNotOf(View addressPath) {
    String empty = whyNotAt(addressPath.getInt(Ads.SRC_ADDR_INDEX));
    if (!empty.isEmpty()) {
      return "src_addr_index " + empty;
    }
    int lid = addressPath.getInt(Ads.RLID);
    return lid != 0 && Gid.of(addressPath.getBytes(Ads.RGID_RIP)).equals(Gid.ZERO)
        ? "rlid 0x%x names the peer by LID, but this is an Ethernet port, whose peers have a GID (rgid) and an Ethernet address (rmac)"
            .formatted(lid)
        : "";
  }

  @Override
  public String whyNotAt(int gidIndex) {
    return gid(gidIndex).equals(Gid.ZERO)
        ? "%d names an empty entry of the GID table".formatted(gidIndex)
        : "";
  }

  @Override
  public boolean takesCompactVectors() {
    return false;
  }

  @Override
  public Path path(View addressPath) {
    int index = addressPath.getInt(Ads.SRC_ADDR_INDEX);
    return new EthernetPath(
        this,
        index,
        Gid.of(addressPath.getBytes(Ads.RGID_RIP)),
        addressPath.get(Ads.RMAC_47_32) << 32 | addressPath.get(Ads.RMAC_31_0),
        addressPath.getInt(Ads.TCLASS),
        addressPath.getInt(Ads.HOP_LIMIT),
        addressPath.getInt(Ads.FLOW_LABEL));
  }

  @Override
  public @Nullable Path path(long addressVector) {
    if (!whyNoPath(addressVector).isEmpty()) {
      return null;
    }
    long route = Memory.getLong(addressVector + AddressVector.ROUTE_WORD);
    return new EthernetPath(
        this,
        AddressVector.sourceGidIndex(route),
        new Gid(
            Memory.getLong(addressVector + AddressVector.RGID_HIGH_WORD),
            Memory.getLong(addressVector + AddressVector.RGID_LOW_WORD)),
        AddressVector.mac(Memory.getLong(addressVector + AddressVector.RMAC_WORD), route),
        AddressVector.trafficClass(route),
        AddressVector.hopLimit(route),
        AddressVector.flowLabel(route));
  }

  @Override
  public String whyNoPath(long addressVector) {
    if (!AddressVector.isExtended(Memory.getLong(addressVector + AddressVector.DESTINATION_WORD))) {
      return "ext (bit 31 of dqp_dct) is 0, which means an address vector of 16 bytes, but RoCE"
          + " needs all 48";
    }
    int index =
        AddressVector.sourceGidIndex(Memory.getLong(addressVector + AddressVector.ROUTE_WORD));
    return gid(index).equals(Gid.ZERO)
        ? "src_addr_index %d of the address vector names an empty entry of the GID table"
            .formatted(index)
        : "";
  }

  @Override
  public Path back(Packet request, int gidIndex) {
    // Responses of a dynamic connection stay on this device, where nothing reads their traffic
    // class, hop limit and flow label.
    return new EthernetPath(
        this, gidIndex, new Gid(request.sourceGidHigh, request.sourceGidLow), mac(), 0, 0, 0);
  }

  @Override
  public String whyNotFor(Packet request, int gidIndex, String self) {
    Gid gid = gid(gidIndex);
    if (request.destinationGidHigh != gid.high() || request.destinationGidLow != gid.low()) {
      return "%s is at GID %s (my_addr_index), not at %s"
          .formatted(
              self,
              Gids.text(gid),
              Gids.text(new Gid(request.destinationGidHigh, request.destinationGidLow)));
    }
    return request.v1 == isV1(gidIndex)
        ? ""
        : "%s uses RoCE %s (my_addr_index), but the request came by the other version"
            .formatted(self, EthernetPath.version(isV1(gidIndex)));
  }

  @Override
  public long header(long at, Packet datagram, boolean strict) {
    return Origin.roce(NetworkHeader.write(at, datagram, strict), datagram.sourceQpn);
  }

  @Override
  public HcaPath resolve(int gidIndex, Gid destination) {
    long next = Multicast.isGroup(destination) ? Multicast.mac(destination) : mac();
    return new HcaPath(next, 0, HOP_LIMIT, isV1(gidIndex) ? 0 : MIN_SOURCE_PORT);
  }

  @Override
  public String addresses() {
    return "the GIDs %s and %s".formatted(Gids.text(linkLocal), Gids.text(address));
  }
}
