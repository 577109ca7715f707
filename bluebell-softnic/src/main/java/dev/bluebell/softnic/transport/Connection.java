package dev.bluebell.softnic.transport;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.command.Ads;
import dev.bluebell.hca.command.PathMtu;
import dev.bluebell.hca.command.Qpc;
import dev.bluebell.hca.command.View;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.softnic.engine.Work;
import dev.bluebell.softnic.fabric.Fabric;
import dev.bluebell.softnic.fabric.Route;
import dev.bluebell.softnic.fabric.Station;
import dev.bluebell.softnic.packet.Packet;
import org.jspecify.annotations.Nullable;

/**
 * Who a queue pair talks to: its peer, the route there, the path MTU. Datagrams have the MTU alone,
 * as each names its own destination. The peer of a dynamic connection comes and goes: {@link
 * #connect} begins a session with one. Owned by whoever runs the engine.
 */
final class Connection {
  private final QpIdentity self;
  private final Fabric fabric;
  private final Work sender;

  private Gid localGid = Gid.ZERO;
  private Gid remoteGid = Gid.ZERO;
  private @Nullable Route route;
  private int remoteQpn;
  private long remoteMac;
  private boolean v1;
  private int logMtu = 8;
  private int burst = 256;

  // Of the session of a dynamic connection.
  private long dcKey;
  private int stream;
  private int session;

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
    int largest = fabric.station().mtuCode();
    logMtu = PathMtu.log(Math.clamp(qpc.getInt(Qpc.MTU), PathMtu.SMALLEST, largest));
    if (self.service() == ServiceType.DCI) {
      measure();
      return;
    }
    View path = qpc.at(Qpc.PRIMARY_ADDRESS_PATH);
    localGid = sourceGid;
    v1 = fabric.station().isV1(path.getInt(Ads.SRC_ADDR_INDEX));
    remoteGid = Gid.of(path.getBytes(Ads.RGID_RIP));
    remoteMac = path.get(Ads.RMAC_47_32) << 32 | path.get(Ads.RMAC_31_0);
    remoteQpn = qpc.getInt(Qpc.REMOTE_QPN);
    open();
  }

  private void open() {
    route = fabric.station().takes(remoteMac) ? fabric.open(remoteGid, sender) : null;
    measure();
  }

  private void measure() {
    burst = route == null ? 1 << logMtu : route.burstBytes(logMtu);
  }

  /**
   * Begins a session of a dynamic connection.
   *
   * @param local GID of this end
   * @param ofV1 whether it talks RoCE v1
   * @param mac Ethernet address of the peer
   * @param remoteHigh first half of the peer's GID
   * @param remoteLow second half of it
   * @param qpn number of the peer, a queue pair or a target
   */
  void connect(Gid local, boolean ofV1, long mac, long remoteHigh, long remoteLow, int qpn) {
    localGid = local;
    v1 = ofV1;
    remoteQpn = qpn;
    if (remoteHigh != remoteGid.high()
        || remoteLow != remoteGid.low()
        || mac != remoteMac
        || route == null) {
      remoteGid = new Gid(remoteHigh, remoteLow);
      remoteMac = mac;
      open();
    }
  }

  /** Says which session it is that {@link #connect} began. */
  void identify(long key, int streamId, int number) {
    dcKey = key;
    stream = streamId;
    session = number;
  }

  /** Number of the session of a dynamic connection; 0 for other connections. */
  int session() {
    return session;
  }

  /** Stream of an initiator that the session is of. */
  int stream() {
    return stream;
  }

  /** The port that its packets leave from. */
  Station station() {
    return fabric.station();
  }

  /** The service of both ends. */
  ServiceType service() {
    return self.service();
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

  /**
   * Payload bytes that one packet, or train of packets, carries at most: whole packets.
   *
   * @param budget bytes after which to stop, which only a single packet may exceed
   */
  int burst(long budget) {
    return budget >= burst ? burst : (int) Math.max(1L << logMtu, budget >>> logMtu << logMtu);
  }

  /** The way to the peer; null when nothing reaches it. */
  @Nullable Route route() {
    return route;
  }

  /** True when it talks RoCE v1, which an end of v2 does not hear. */
  boolean isV1() {
    return v1;
  }

  /** Says why no packet reaches the peer, when there is no route. */
  String whyUnreachable() {
    Station station = fabric.station();
    return station.isOwn(remoteGid)
        ? station.whyNotTaken(remoteMac)
        : "no port of this device reaches the destination GID %s (rgid of its address path)"
            .formatted(remoteGid);
  }

  /** Addresses a packet to the peer. */
  void address(Packet packet) {
    packet.sourceQpn = self.number();
    packet.destinationQpn = remoteQpn;
    packet.v1 = v1;
    packet.sourceGidHigh = localGid.high();
    packet.sourceGidLow = localGid.low();
    packet.destinationGidHigh = remoteGid.high();
    packet.destinationGidLow = remoteGid.low();
    packet.dcKey = dcKey;
    packet.stream = stream;
    packet.session = session;
  }

  /** True when a packet says that it comes from the peer. */
  boolean isPeer(Packet packet) {
    return packet.sourceQpn == remoteQpn
        && packet.sourceGidLow == remoteGid.low()
        && packet.sourceGidHigh == remoteGid.high()
        && packet.v1 == v1;
  }

  /** Says why a request is not one that the connection takes in a state; empty when it is. */
  String whyNot(Packet request, Lifecycle life) {
    if (!life.takesRequests()) {
      return "%s is in %s and takes no requests"
          .formatted(self.name(), HcaHappening.stateName(life.state()));
    }
    if (request.sourceQpn != remoteQpn) {
      return "QP 0x%x is connected to QP 0x%x (remote_qpn), not to QP 0x%x which sent the request"
          .formatted(self.number(), remoteQpn, request.sourceQpn);
    }
    if (request.v1 != v1) {
      return "QP 0x%x talks RoCE %s (src_addr_index), and the request came by RoCE %s: both ends need entries of the GID table of one type"
          .formatted(self.number(), version(v1), version(request.v1));
    }
    if (!isPeer(request)) {
      return "QP 0x%x is connected to GID %s (rgid), not to %s which sent the request"
          .formatted(
              self.number(), remoteGid, new Gid(request.sourceGidHigh, request.sourceGidLow));
    }
    return "";
  }

  private static String version(boolean first) {
    return first ? "v1" : "v2";
  }

  @Override
  public String toString() {
    return "remote QP 0x%x at %s".formatted(remoteQpn, remoteGid);
  }
}
