package dev.bluebell.softnic.transport;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.command.Ads;
import dev.bluebell.hca.command.PathMtu;
import dev.bluebell.hca.command.Qpc;
import dev.bluebell.hca.command.View;
import dev.bluebell.softnic.diagnosis.Happening;
import dev.bluebell.softnic.engine.Work;
import dev.bluebell.softnic.fabric.Fabric;
import dev.bluebell.softnic.fabric.Route;
import dev.bluebell.softnic.packet.Packet;
import org.jspecify.annotations.Nullable;

/**
 * Who a queue pair talks to: its peer, the route there, the path MTU. Datagrams have the MTU alone,
 * as each names its own destination. Owned by whoever runs the engine.
 */
final class Connection {
  private final QpIdentity self;
  private final Fabric fabric;
  private final Work sender;

  private Gid localGid = Gid.ZERO;
  private Gid remoteGid = Gid.ZERO;
  private @Nullable Route route;
  private int remoteQpn;
  private int logMtu = 8;
  private int burst = 256;

  /**
   * @param sender who is activated when the route has room again
   */
  Connection(QpIdentity self, Fabric fabric, Work sender) {
    this.self = self;
    this.fabric = fabric;
    this.sender = sender;
  }

  /**
   * Takes the attributes that a context now holds.
   *
   * @param sourceGid the GID that {@code src_addr_index} names
   */
  void configure(View qpc, Gid sourceGid) {
    localGid = sourceGid;
    remoteGid = Gid.of(qpc.at(Qpc.PRIMARY_ADDRESS_PATH).getBytes(Ads.RGID_RIP));
    remoteQpn = qpc.getInt(Qpc.REMOTE_QPN);
    logMtu = PathMtu.log(Math.clamp(qpc.getInt(Qpc.MTU), PathMtu.SMALLEST, PathMtu.LARGEST));
    route = fabric.open(remoteGid, sender);
    burst = route == null ? 1 << logMtu : route.burstBytes(logMtu);
  }

  Gid localGid() {
    return localGid;
  }

  Gid remoteGid() {
    return remoteGid;
  }

  int remoteQpn() {
    return remoteQpn;
  }

  /** Logarithm of the path MTU: a power of two, so that nobody needs to divide by it. */
  int logMtu() {
    return logMtu;
  }

  /** Payload bytes that one packet, or train of packets, carries at most. */
  int burst() {
    return burst;
  }

  /** The way to the peer; null when nothing reaches it. */
  @Nullable Route route() {
    return route;
  }

  /** Says why no packet reaches the peer, when there is no route. */
  String whyUnreachable() {
    return "no port of this device reaches the destination GID %s (rgid of its address path)"
        .formatted(remoteGid);
  }

  /** Addresses a packet to the peer. */
  void address(Packet packet) {
    packet.sourceQpn = self.number();
    packet.destinationQpn = remoteQpn;
    packet.sourceGidHigh = localGid.high();
    packet.sourceGidLow = localGid.low();
    packet.destinationGidHigh = remoteGid.high();
    packet.destinationGidLow = remoteGid.low();
  }

  /** True when a packet says that it comes from the peer. */
  boolean isPeer(Packet packet) {
    return packet.sourceQpn == remoteQpn
        && packet.sourceGidLow == remoteGid.low()
        && packet.sourceGidHigh == remoteGid.high();
  }

  /** Says why a request is not one that the connection takes in a state; empty when it is. */
  String whyNot(Packet request, Lifecycle life) {
    if (!life.takesRequests()) {
      return "QP 0x%x is in %s and takes no requests"
          .formatted(self.number(), Happening.stateName(life.state()));
    }
    if (request.sourceQpn != remoteQpn) {
      return "QP 0x%x is connected to QP 0x%x (remote_qpn), not to QP 0x%x which sent the request"
          .formatted(self.number(), remoteQpn, request.sourceQpn);
    }
    if (!isPeer(request)) {
      return "QP 0x%x is connected to GID %s (rgid), not to %s which sent the request"
          .formatted(
              self.number(), remoteGid, new Gid(request.sourceGidHigh, request.sourceGidLow));
    }
    return "";
  }

  @Override
  public String toString() {
    return "remote QP 0x%x at %s".formatted(remoteQpn, remoteGid);
  }
}
