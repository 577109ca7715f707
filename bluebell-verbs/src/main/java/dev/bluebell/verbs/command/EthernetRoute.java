package dev.bluebell.verbs.command;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaPath;
import dev.bluebell.hca.command.QpCommands.Ads;
import dev.bluebell.hca.structure.View;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.PathOptions;
import dev.bluebell.verbs.object.DeviceContext;
import dev.bluebell.verbs.ring.AddressWords;
import dev.bluebell.verbs.value.Ranges;

/**
 * The route to a peer over RoCE, where all packets have a global route. Mirrors {@code qp.c:
 * mlx5_set_path} of Linux.
 *
 * @param gidIndex entry of the GID table that packets come from
 * @param gid of the peer
 * @param path to it
 */
public record EthernetRoute(int gidIndex, Gid gid, HcaPath path) implements Route {
  private static final int MAX_PRIORITY = 7;

  public static EthernetRoute of(DeviceContext device, LocalAddress from, Gid gid) {
    if (gid.equals(Gid.ZERO)) {
      throw new IllegalArgumentException(
          "port %d of %s is an Ethernet port, and the endpoint has no GID"
              .formatted(from.port(), device));
    }
    return new EthernetRoute(
        from.gidIndex(), gid, device.hca().resolve(from.port(), from.gidIndex(), gid));
  }

  @Override
  public void writeTo(View addressPath, ConnectOptions options) {
    addressPath
        .set(Ads.SRC_ADDR_INDEX, gidIndex)
        .setBytes(Ads.RGID_RIP, gid.bytes())
        .set(Ads.RMAC_47_32, path.mac() >>> 32)
        .set(Ads.RMAC_31_0, path.mac() & 0xffffffffL)
        .set(Ads.HOP_LIMIT, path.hopLimit())
        .set(Ads.UDP_SPORT, path.udpSourcePort())
        .set(Ads.TCLASS, options.trafficClass())
        .set(Ads.DSCP, path.isUdp() ? options.trafficClass() >>> 2 : 0)
        .set(Ads.ETH_PRIO, priority(options.serviceLevel()));
  }

  @Override
  public AddressWords words(long key, int number, PathOptions options) {
    int unused = priority(options.serviceLevel());
    return AddressWords.roce(key, number, gid, path, gidIndex, options);
  }

  /** The Ethernet priority of a service level. */
  private static int priority(int serviceLevel) {
    return Ranges.require("serviceLevel on Ethernet", serviceLevel, 0, MAX_PRIORITY);
  }
}
