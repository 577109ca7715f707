package dev.bluebell.uverbs.cm;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaPort;
import dev.bluebell.hca.LinkLayer;
import dev.bluebell.hca.command.PathMtu;
import dev.bluebell.uverbs.device.DeviceIdentity;
import dev.bluebell.uverbs.device.GidTypes;
import dev.bluebell.uverbs.session.VportContext;
import java.util.ArrayList;
import java.util.List;

/**
 * The attributes of the device's port that the connection manager uses.
 *
 * @param guid of the node, 64 bits
 * @param infiniBand false for Ethernet
 * @param lid 0 on Ethernet
 * @param mtu code of the largest path MTU, 1 … 5
 * @param gids entries of the GID table that connections can use; on Ethernet those of RoCE v2
 */
record CmPort(long guid, boolean infiniBand, int lid, int mtu, List<Entry> gids) {
  static final int HOP_LIMIT = 64;

  /** The ends are in one subnet, so InfiniBand packets need no GIDs. */
  private static final int HOP_LIMIT_IN_SUBNET = 0;

  private static final int HOP_LIMIT_OF_GROUPS = 1;

  /** {@code cma.c: CMA_IBOE_PACKET_LIFETIME}. */
  static final int LIFETIME = 18;

  /** An entry of the GID table. */
  record Entry(int index, Gid gid) {}

  /** Queries a device; executes commands, so do not call it under a lock. */
  static CmPort of(Hca hca) {
    HcaPort port = hca.queryPort(VportContext.PORT);
    boolean infiniBand = port.linkLayer() == LinkLayer.INFINIBAND;
    List<Entry> entries = new ArrayList<>();
    for (int index = 0; index < port.gidTableLength(); index++) {
      Gid gid = hca.queryGid(VportContext.PORT, index);
      if (!gid.equals(Gid.ZERO) && (infiniBand || GidTypes.isRoceV2(hca, index))) {
        entries.add(new Entry(index, gid));
      }
    }
    return new CmPort(
        DeviceIdentity.guid(hca),
        infiniBand,
        port.lid(),
        PathMtu.code(port.activeMtu()),
        List.copyOf(entries));
  }

  /**
   * The entry for an address of this machine: its own, else the first of the same IP version, else
   * the first.
   */
  private Entry entry(CmAddress address) {
    Gid gid = address.gid();
    boolean isIpv4 = address.family() == CmAddress.INET;
    return gids.stream()
        .filter(entry -> entry.gid.equals(gid))
        .findFirst()
        .or(() -> gids.stream().filter(entry -> entry.gid.isIpv4() == isIpv4).findFirst())
        .orElseGet(gids::getFirst);
  }

  /** True when the table contains this GID. */
  boolean has(Gid gid) {
    return gids.stream().anyMatch(entry -> entry.gid.equals(gid));
  }

  /** The GID of an address of this machine; {@link Gid#ZERO} for no address or the wildcard. */
  Gid gid(CmAddress address) {
    return address.family() == 0 || address.isAny() ? Gid.ZERO : entry(address).gid;
  }

  /**
   * The path from an address of this machine.
   *
   * @param destination GID at its end
   * @param acknowledgement timeout of the queue pair, as the client set it; 0 when it did not
   */
  CmPath path(CmAddress source, Gid destination, int trafficClass, int acknowledgement) {
    Entry from = entry(source);
    return new CmPath(
        from.gid,
        destination,
        from.index,
        !infiniBand,
        lid,
        mtu,
        infiniBand ? HOP_LIMIT_IN_SUBNET : HOP_LIMIT,
        trafficClass,
        acknowledgement == 0 ? LIFETIME : acknowledgement - 1);
  }

  /** The same path seen from its destination. */
  CmPath back(CmPath path, CmAddress destination) {
    return path.reversed(entry(destination).index);
  }

  CmPath pathToGroup(CmAddress source, Gid group) {
    Entry from = entry(source);
    return new CmPath(from.gid, group, from.index, true, 0, mtu, HOP_LIMIT_OF_GROUPS, 0, LIFETIME);
  }
}
