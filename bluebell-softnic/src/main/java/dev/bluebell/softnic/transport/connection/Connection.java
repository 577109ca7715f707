package dev.bluebell.softnic.transport.connection;

import dev.bluebell.hca.command.PathMtu;
import dev.bluebell.hca.command.QpCommands.Ads;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.softnic.diagnosis.Counters;
import dev.bluebell.softnic.diagnosis.FlightRecorder;
import dev.bluebell.softnic.engine.Work;
import dev.bluebell.softnic.fabric.Fabric;
import dev.bluebell.softnic.fabric.Path;
import dev.bluebell.softnic.fabric.Route;
import dev.bluebell.softnic.fabric.Station;
import dev.bluebell.softnic.packet.Origin;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.port.PartitionKey;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a queue pair: its peer, the path and the route there, its partition, the path
 * MTU. Each datagram names its own peer, and each request of a dynamic connection may: {@link
 * #connect} switches to it. Owned by the thread that runs the engine.
 */
public final class Connection {
  private final QpIdentity self;
  private final Fabric fabric;
  private final Work sender;
  private final Counters counters;

  private @Nullable Path path;
  private @Nullable Route route;
  private int remoteQpn;
  private int partitionKey;
  private int logMtu = 8;
  private int burst = 256;
  private int window = Integer.MAX_VALUE;

  // Path of the other end, once it was found to belong to the peer.
  private @Nullable Path peerPath;

  // Of the session of a dynamic connection.
  private long dcKey;
  private int stream;
  private int session;

  /**
   * @param sender is activated when the route has room again
   * @param counters counts requests from other partitions
   */
  public Connection(QpIdentity self, Fabric fabric, Work sender, Counters counters) {
    this.self = self;
    this.fabric = fabric;
    this.sender = sender;
    this.counters = counters;
  }

  /** Applies the attributes that a context now holds. */
  public void configure(View qpc) {
    View addressPath = qpc.at(Qpc.PRIMARY_ADDRESS_PATH);
    configure(qpc.getInt(Qpc.MTU), addressPath.getInt(Ads.PKEY_INDEX));
    if (self.service() == ServiceType.DCI) {
      measure();
    } else if (self.service() != ServiceType.UD) {
      connect(station().path(addressPath), qpc.getInt(Qpc.REMOTE_QPN));
    }
  }

  /**
   * Applies the attributes that do not depend on a peer.
   *
   * @param mtu code of the path MTU, see {@link PathMtu}
   * @param partitionKeyIndex index of its key in the table of partition keys
   */
  public void configure(int mtu, int partitionKeyIndex) {
    logMtu = PathMtu.log(Math.clamp(mtu, PathMtu.SMALLEST, station().mtuCode()));
    partitionKey = station().partitionKey(partitionKeyIndex);
    peerPath = null;
  }

  /**
   * Writes the peer to the flight record, if it is the same for all requests.
   *
   * @param client the owner of the queue pair
   * @param queues describes its queues in a chain of requests, see {@link
   *     dev.bluebell.hca.HcaHappening#CONNECTED}
   */
  public void record(FlightRecorder recorder, Object client, String queues) {
    if (path != null && self.service() != ServiceType.DCI) {
      recorder.recordConnection(
          client,
          self.number(),
          path.leadsHere(),
          remoteQpn,
          "%s %s %s".formatted(self.service(), path, queues));
    }
  }

  private void measure() {
    burst = route == null ? 1 << logMtu : route.burstBytes(logMtu);
    window = route == null ? Integer.MAX_VALUE : Math.max(2, route.windowBytes() >>> logMtu);
  }

  /**
   * Switches to a peer; on a dynamic connection, begins a session with it.
   *
   * @param to the path to it
   * @param qpn number of the peer, a queue pair or a target
   */
  public void connect(Path to, int qpn) {
    remoteQpn = qpn;
    if (!to.equals(path) || route == null) {
      path = to;
      peerPath = null;
      route = fabric.open(to, sender);
    }
    measure();
  }

  /** Sets the identity of the session that {@link #connect} began. */
  public void identify(long key, int streamId, int number) {
    dcKey = key;
    stream = streamId;
    session = number;
  }

  /** Number of the session of a dynamic connection; 0 for other connections. */
  public int session() {
    return session;
  }

  /** The port that its packets leave from. */
  public Station station() {
    return fabric.station();
  }

  /** The service of both ends. */
  public ServiceType service() {
    return self.service();
  }

  public int remoteQpn() {
    return remoteQpn;
  }

  /** Logarithm of the path MTU, which is a power of two, so callers can shift instead of divide. */
  public int logMtu() {
    return logMtu;
  }

  /**
   * Most payload bytes of one packet or train of packets: whole packets.
   *
   * @param budget bytes after which to stop, which only a single packet may exceed
   */
  public int burst(long budget) {
    return budget >= burst ? burst : (int) Math.max(1L << logMtu, budget >>> logMtu << logMtu);
  }

  /** Most unacknowledged request packets, at least 2. */
  public int window() {
    return window;
  }

  /** The route to the peer; null when the peer is unreachable. */
  public @Nullable Route route() {
    return route;
  }

  /**
   * The path that an address vector names, usually the path to the peer; null when it names none,
   * and the station says why.
   */
  public @Nullable Path pathOf(long addressVector) {
    return isOn(addressVector) ? path : station().path(addressVector);
  }

  /** True when an address vector names the path to the peer. */
  public boolean isOn(long addressVector) {
    return path != null && path.isOf(addressVector);
  }

  /** Says why no packet reaches the peer, when there is no route. */
  public String whyUnreachable() {
    return path == null ? "it has no peer" : path.whyNowhere();
  }

  /** Addresses a packet to the peer. */
  public void address(Packet packet) {
    packet.sourceQpn = self.number();
    packet.destinationQpn = remoteQpn;
    packet.partitionKey = partitionKey;
    packet.dcKey = dcKey;
    packet.stream = stream;
    packet.session = session;
    if (path != null) {
      path.address(packet);
    }
  }

  /** The origin in completions of messages from the peer, see {@link Origin}. */
  public long origin() {
    return Origin.from(path == null ? 0 : path.origin(), remoteQpn);
  }

  /** True when the headers of a packet name the peer as its sender. */
  public boolean isPeer(Packet packet) {
    return (packet.sourceQpn == remoteQpn || packet.remote)
        && path != null
        && path.isFrom(packet)
        && isOfPartition(packet);
  }

  /** True when a packet is of the partition of this end. */
  public boolean isOfPartition(Packet packet) {
    return PartitionKey.match(packet.partitionKey, partitionKey);
  }

  /** True when each end accepts the packets of the other, apart from queue pair numbers. */
  public boolean isPeer(Connection other) {
    Path theirs = other.path;
    if (theirs == null || path == null) {
      return false;
    }
    if (!theirs.equals(peerPath)) {
      if (!path.isFrom(theirs) || !theirs.isFrom(path)) {
        return false;
      }
      peerPath = theirs;
    }
    return PartitionKey.match(other.partitionKey, partitionKey);
  }

  /** Says why the connection does not accept a request in its state; empty when it does. */
  public String whyNot(Packet request, Lifecycle life) {
    if (!life.takesRequests()) {
      return "%s is in %s and takes no requests%s"
          .formatted(self.name(), QpState.name(life.state()), whyError(life));
    }
    if (request.sourceQpn != remoteQpn && !request.remote) {
      return "QP 0x%x is connected to QP 0x%x (remote_qpn), not to QP 0x%x, which sent the request"
          .formatted(self.number(), remoteQpn, request.sourceQpn);
    }
    if (!isOfPartition(request)) {
      counters.partitionKeyViolation();
      return whyOtherPartition(request);
    }
    return path == null || path.isFrom(request) ? "" : path.whyNotFrom(request, self.name());
  }

  /** Says why the path of a response to this end is wrong; empty when its path is not wrong. */
  public String whyNotAnswer(Packet response) {
    boolean isStrange = response.sourceQpn != remoteQpn && !response.remote;
    return isStrange || path == null || path.isFrom(response)
        ? ""
        : path.whyNotFrom(response, self.name());
  }

  /**
   * Says how a queue pair came into ERR, as part of a sentence for any requester: the failure
   * itself is explained to its own client alone. Empty in other states.
   */
  private static String whyError(Lifecycle life) {
    if (life.state() != QpState.ERR) {
      return "";
    }
    return life.isMovedByClient()
        ? ", because its client moved it there"
        : "; the explanations of the process at the other end say why";
  }

  /** Says which partition a packet of another partition is of. */
  public String whyOtherPartition(Packet packet) {
    String why =
        PartitionKey.isOfNone(partitionKey) || PartitionKey.isOfNone(packet.partitionKey)
            ? "partition 0 is none (0x0000 is an empty entry of the partition key table)"
            : "both must name the same partition, and not both as limited members";
    return "%s has the partition key 0x%04x (pkey_index), but the packet came with 0x%04x: %s"
        .formatted(self.name(), partitionKey, packet.partitionKey, why);
  }

  /** Names a peer on another device of the network, for explanations; empty for all others. */
  public String farPeer() {
    String address = path == null ? "" : path.farAddress();
    return address.isEmpty() ? "" : "QP 0x%x at %s".formatted(remoteQpn, address);
  }

  /** The end of a sentence that names such a peer; empty for all others. */
  public String andFarPeer() {
    String peer = farPeer();
    return peer.isEmpty() ? "" : "; the peer is " + peer;
  }

  @Override
  public String toString() {
    return "remote QP 0x%x at %s%s"
        .formatted(remoteQpn, path == null ? "no path" : path, route == null ? "" : route.pace());
  }
}
