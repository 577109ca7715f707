package dev.bluebell.softnic.port;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaPath;
import dev.bluebell.hca.LinkLayer;
import dev.bluebell.hca.command.QpCommands.Ads;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.AddressVector;
import dev.bluebell.softnic.fabric.Path;
import dev.bluebell.softnic.option.LinkOptions;
import dev.bluebell.softnic.packet.NetworkHeader;
import dev.bluebell.softnic.packet.Origin;
import dev.bluebell.softnic.packet.Packet;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * An InfiniBand port: peers are addressed by LID, and also by GID where a path has a global route.
 * The device acts as the subnet manager, which has LID 1, and assigns the port its LID.
 */
public final class InfiniBandPort extends Port {
  private static final int SUBNET_MANAGER = 1;

  /** LIDs of single ports are 1 … 0xbfff. */
  private static final int UNICAST_LIDS = 0xc000;

  private final int lid;
  private final int lmc;
  private final List<Integer> partitionKeys;
  private final Gid gid;

  /**
   * @param lmc low bits of the LID that the port ignores, 0 … {@link LinkOptions#MAX_LMC}
   * @param partitionKeys the first entries of the partition key table, 16 bits each; others are 0
   */
  public InfiniBandPort(int identity, int mtu, int lmc, List<Integer> partitionKeys) {
    super(identity, mtu);
    this.lmc = lmc;
    this.partitionKeys = List.copyOf(partitionKeys);
    // Block 0 has the LID of the subnet manager.
    int blocks = (UNICAST_LIDS >> lmc) - 2;
    lid = (2 + Math.floorMod(identity - 1, blocks)) << lmc;
    gid = new Gid(LINK_LOCAL_PREFIX, guid());
  }

  @Override
  public LinkLayer linkLayer() {
    return LinkLayer.INFINIBAND;
  }

  @Override
  public int lid() {
    return lid;
  }

  @Override
  public int lmc() {
    return lmc;
  }

  @Override
  public int subnetManager() {
    return SUBNET_MANAGER;
  }

  /** Mask of the bits of a LID that the port ignores. */
  int pathBits() {
    return (1 << lmc) - 1;
  }

  /** True when the port takes packets to a LID. */
  boolean takes(int destination) {
    return (destination & ~pathBits()) == lid || AddressVector.isGroup(destination);
  }

  /** GID 0: the prefix of the subnet, and the port's GUID. */
  @Override
  public Gid gid(int index) {
    return index == 0 ? gid : Gid.ZERO;
  }

  @Override
  public boolean isOwn(Gid destination) {
    return destination.equals(gid) || Multicast.isGroup(destination);
  }

  @Override
  public boolean reaches(int gidIndex, Gid destination) {
    return false;
  }

  @Override
  public @Nullable RandomGenerator numbers() {
    return null;
  }

  /** True for a GID of the port, with its own prefix or the link-local one. */
  boolean answersTo(long gidHigh, long gidLow) {
    return gidLow == gid.low() && (gidHigh == gid.high() || gidHigh == LINK_LOCAL_PREFIX);
  }

  @Override
  public int partitionKeys() {
    return LinkOptions.PARTITION_KEYS;
  }

  @Override
  public int partitionKey(int index) {
    return index < partitionKeys.size() ? partitionKeys.get(index) : 0;
  }

  @Override
  public String whyNotOf(View addressPath) {
    int index = addressPath.getInt(Ads.SRC_ADDR_INDEX);
    if (addressPath.isSet(Ads.GRH) && gid(index).equals(Gid.ZERO)) {
      return "grh is 1 and src_addr_index %d names an empty entry of the GID table"
          .formatted(index);
    }
    long mac = addressPath.get(Ads.RMAC_47_32) << 32 | addressPath.get(Ads.RMAC_31_0);
    return mac != 0 && !addressPath.isSet(Ads.RLID)
        ? "rmac %012x names the peer by an Ethernet address, but this is an InfiniBand port, whose peers have a LID (rlid)"
            .formatted(mac)
        : "";
  }

  /** Peers find a listening end by LID, and by GID only where a request has a global route. */
  @Override
  public String whyNotAt(int gidIndex) {
    return "";
  }

  @Override
  public boolean takesCompactVectors() {
    return true;
  }

  @Override
  public Path path(View addressPath) {
    boolean global = addressPath.isSet(Ads.GRH);
    return new InfiniBandPath(
        this,
        global,
        addressPath.getInt(Ads.MLID),
        addressPath.getInt(Ads.RLID),
        addressPath.getInt(Ads.SL),
        global ? addressPath.getInt(Ads.SRC_ADDR_INDEX) : 0,
        global ? Gid.of(addressPath.getBytes(Ads.RGID_RIP)) : Gid.ZERO);
  }

  /** True when an address vector has a global route, for which it needs all 48 bytes. */
  static boolean isGlobal(long addressVector) {
    return AddressVector.isExtended(Memory.getLong(addressVector + AddressVector.DESTINATION_WORD))
        && AddressVector.GRH.isSet(Memory.getLong(addressVector + AddressVector.ROUTE_WORD));
  }

  @Override
  public @Nullable Path path(long addressVector) {
    if (!whyNoPath(addressVector).isEmpty()) {
      return null;
    }
    long destination = Memory.getLong(addressVector + AddressVector.DESTINATION_WORD);
    boolean global = isGlobal(addressVector);
    long route = global ? Memory.getLong(addressVector + AddressVector.ROUTE_WORD) : 0;
    return new InfiniBandPath(
        this,
        global,
        AddressVector.MLID.getInt(destination),
        AddressVector.RLID.getInt(destination),
        AddressVector.SL.getInt(destination),
        AddressVector.sourceGidIndex(route),
        global
            ? new Gid(
                Memory.getLong(addressVector + AddressVector.RGID_HIGH_WORD),
                Memory.getLong(addressVector + AddressVector.RGID_LOW_WORD))
            : Gid.ZERO);
  }

  @Override
  public String whyNoPath(long addressVector) {
    if (!isGlobal(addressVector)) {
      return "";
    }
    int index =
        AddressVector.sourceGidIndex(Memory.getLong(addressVector + AddressVector.ROUTE_WORD));
    return gid(index).equals(Gid.ZERO)
        ? "the address vector has a global route (bit 30 of grh_gid_fl), and its src_addr_index %d names an empty entry of the GID table"
            .formatted(index)
        : "";
  }

  /** The response leaves from the addresses that the request came to; the entry is ignored. */
  @Override
  public Path back(Packet request, int gidIndex) {
    return new InfiniBandPath(
        this,
        request.global,
        request.destinationLid & pathBits(),
        request.sourceLid,
        request.serviceLevel,
        0,
        request.global ? new Gid(request.sourceGidHigh, request.sourceGidLow) : Gid.ZERO);
  }

  @Override
  public String whyNotFor(Packet request, int gidIndex, String self) {
    return !request.global || answersTo(request.destinationGidHigh, request.destinationGidLow)
        ? ""
        : "%s is at GID %s (my_addr_index), not at %s"
            .formatted(self, gid, new Gid(request.destinationGidHigh, request.destinationGidLow));
  }

  @Override
  public long header(long at, Packet datagram, boolean strict) {
    if (datagram.global) {
      int unused = NetworkHeader.write(at, datagram, strict);
    }
    return Origin.infiniBand(
        datagram.global,
        datagram.serviceLevel,
        datagram.sourceQpn,
        datagram.sourceLid,
        AddressVector.isGroup(datagram.destinationLid) ? 0 : datagram.destinationLid & pathBits());
  }

  @Override
  public HcaPath resolve(int gidIndex, Gid destination) {
    return new HcaPath(0, destination.equals(gid) ? lid : 0, HOP_LIMIT, 0);
  }

  @Override
  public String addresses() {
    return "the LID 0x%x and the GID %s".formatted(lid, gid);
  }
}
