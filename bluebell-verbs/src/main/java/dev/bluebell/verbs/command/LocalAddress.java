package dev.bluebell.verbs.command;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaPort;
import dev.bluebell.hca.LinkLayer;
import dev.bluebell.verbs.object.DeviceContext;
import dev.bluebell.verbs.object.GidTable;

/**
 * The address of a queue pair or target on this device: where its packets come from, and where its
 * peers send theirs.
 *
 * @param port its port, from 1
 * @param gidIndex entry of the GID table
 * @param pkeyIndex entry of the partition key table
 * @param pathBits low bits of its LID on InfiniBand, less than 2<sup>LMC</sup>; 0 on Ethernet
 */
public record LocalAddress(int port, int gidIndex, int pkeyIndex, int pathBits) {

  /**
   * An address as a builder describes it.
   *
   * @param gidIndex may be {@link GidTable#USUAL}
   * @throws IllegalArgumentException when the path bits exceed the port's LIDs
   */
  public static LocalAddress of(
      DeviceContext device, int port, int gidIndex, int pkeyIndex, int pathBits) {
    int lmc = pathBits == 0 ? 0 : device.port(port).lmc();
    if (pathBits >>> lmc != 0) {
      throw new IllegalArgumentException(
          "pathBits is %d, but must be from 0 to %d: the LMC of port %d of %s is %d"
              .formatted(pathBits, (1 << lmc) - 1, port, device, lmc));
    }
    return new LocalAddress(port, device.gidIndex(port, gidIndex), pkeyIndex, pathBits);
  }

  /** The same with another entry of the GID table. */
  public LocalAddress withGidIndex(int index) {
    return new LocalAddress(port, index, pkeyIndex, pathBits);
  }

  public Gid gid(DeviceContext device) {
    return device.gid(port, gidIndex);
  }

  /** The LID on InfiniBand, with the path bits; 0 on Ethernet. */
  public int lid(DeviceContext device) {
    return device.port(port).lid() | pathBits;
  }

  /** Largest packet payload that the port currently accepts, in bytes. */
  public int mtu(DeviceContext device) {
    return device.port(port).activeMtu();
  }

  /**
   * The route from this address to a peer.
   *
   * @param gid of the peer
   * @param lid of the peer; 0 when it is on Ethernet
   * @param global whether packets on InfiniBand carry a global route header even within a subnet
   *     and without a port that requires one
   * @throws IllegalArgumentException when the peer has another link layer
   * @throws dev.bluebell.hca.HcaException when the device cannot resolve the route
   */
  public Route routeTo(DeviceContext device, Gid gid, int lid, boolean global) {
    HcaPort here = device.port(port);
    boolean infiniBand = here.linkLayer() == LinkLayer.INFINIBAND;
    if (infiniBand && lid == 0) {
      throw new IllegalArgumentException(
          "port %d of %s is an InfiniBand port, and the endpoint has no LID: it belongs to an Ethernet port, or to a port that had no LID yet"
              .formatted(port, device));
    }
    if (!infiniBand && lid != 0) {
      throw new IllegalArgumentException(
          "port %d of %s is an Ethernet port, and the endpoint has LID 0x%x: it belongs to an InfiniBand port, which an Ethernet port can't reach"
              .formatted(port, device, lid));
    }
    return infiniBand
        ? InfiniBandRoute.of(this, gid(device), gid, lid, global || here.globalRouteRequired())
        : EthernetRoute.of(device, this, gid);
  }
}
