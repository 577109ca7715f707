package dev.bluebell.uverbs.cm;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaManagement.Datagram;
import dev.bluebell.hca.uverbs.RdmaCm;
import dev.bluebell.hca.uverbs.Verbs;
import dev.bluebell.roce.packet.CmMad;
import dev.bluebell.roce.packet.CmMad.Ids;
import dev.bluebell.roce.packet.CmMad.Message;
import dev.bluebell.roce.packet.CmMad.Rej;
import dev.bluebell.roce.packet.CmMad.Req;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Connections to ids of other devices, by datagrams of the communication manager. A datagram that
 * is malformed or comes from the wrong device is dropped and counted. Mirrors {@code cm.c}. Guarded
 * by the {@link ConnectionManager}.
 */
final class Network implements Peers {
  /**
   * Number of ended connections that this device remembers, to answer repeated messages. The oldest
   * is forgotten first.
   */
  static final int MOST_ENDED = 1024;

  /**
   * Number of connections whose DREQ awaits an answer. The oldest of the client with the most is
   * given up first.
   */
  static final int MOST_DISCONNECTING = 4096;

  /** Number of datagrams that wait until the device has room for them. */
  private static final int MOST_UNSENT = 1 << 15;

  /** How often, and how many of these at a time: no more than the receiver has room for. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private static final int MOST_AT_ONCE = 256;

  private final ConnectionManager manager;
  private final Ports ports;
  private final CmPort port;
  private final Gid own;
  private final Predicate<Datagram> link;
  private final RandomGenerator random;
  private final long transactions;

  private final CmCounts counts = new CmCounts();
  private final Deadlines deadlines;
  private final Questions questions;

  private final Map<Integer, RemoteEnd> byId = new HashMap<>();
  private final Map<Name, RemoteEnd> byPeerId = new HashMap<>();
  private final Map<Name, RemoteEnd> byPeerQpn = new HashMap<>();
  private final ArrayDeque<Unsent> unsent = new ArrayDeque<>();
  private final Map<Object, Integer> unsentOf = new HashMap<>();
  private final SequencedSet<RemoteEnd> ended = new LinkedHashSet<>();
  private final Disconnecting disconnecting = new Disconnecting();

  /** A message that waits for room in the device. */
  private record Unsent(Object client, Datagram datagram) {}

  /** A number chosen by another device. */
  private record Name(Gid peer, int number) {}

  /**
   * @param port of the device
   * @param own GID of its address on the network
   * @param link sends a datagram without waiting; false when it is lost at once
   */
  Network(
      ConnectionManager manager,
      CmPort port,
      Gid own,
      Predicate<Datagram> link,
      RandomGenerator random) {
    this.manager = manager;
    ports = manager.ports();
    this.port = port;
    this.own = own;
    this.link = link;
    this.random = random;
    transactions = (long) random.nextInt() << Integer.SIZE;
    deadlines = manager.deadlines();
    questions = new Questions(this);
  }

  Deadlines deadlines() {
    return deadlines;
  }

  CmCounts counts() {
    return counts;
  }

  /** GUID of this device. */
  long guid() {
    return port.guid();
  }

  /** This device's address on the network, with port 0. */
  CmAddress address() {
    return CmAddress.of(own, 0);
  }

  /** The transaction ID for a communication ID or a SIDR request. */
  long transaction(int number) {
    return transactions | Integer.toUnsignedLong(number);
  }

  int random() {
    return random.nextInt();
  }

  /**
   * Sends a message of an id of this device, as soon as the device has room for it.
   *
   * @param client whose id it is; its messages take no more room than stays free for others
   */
  void send(Object client, Gid peer, int qpn, Mad message) {
    Datagram datagram = counted(peer, qpn, message);
    if (unsent.isEmpty() && link.test(datagram)) {
      return;
    }
    if (unsentOf.getOrDefault(client, 0) >= MOST_UNSENT - unsent.size()) {
      counts.add(CmCounts.Drop.UNSENT);
      return;
    }
    if (unsent.isEmpty()) {
      manager.after(PAUSE_NANOS, this::sendUnsent);
    }
    unsent.addLast(new Unsent(client, datagram));
    unsentOf.merge(client, 1, Integer::sum);
  }

  private void sendUnsent() {
    try {
      for (int i = 0;
          i < MOST_AT_ONCE && !unsent.isEmpty() && link.test(unsent.getFirst().datagram);
          i++) {
        Object client = unsent.removeFirst().client;
        unsentOf.computeIfPresent(client, (same, count) -> count == 1 ? null : count - 1);
      }
    } finally {
      if (!unsent.isEmpty()) {
        manager.after(PAUSE_NANOS, this::sendUnsent);
      }
    }
  }

  /** Answers a message for which no id waits; the answer is lost if the device has no room. */
  void answer(Gid peer, int qpn, Mad message) {
    if (!link.test(counted(peer, qpn, message))) {
      counts.add(CmCounts.Drop.UNSENT);
    }
  }

  private Datagram counted(Gid peer, int qpn, Mad message) {
    counts.add(CmCounts.Kind.TX_MSGS, message.message());
    // The bytes may be sent again, so the device gets a copy.
    return new Datagram(peer, qpn, message.bytes().array().clone());
  }

  // ---- requests of this device

  @Override
  public boolean reach(CmAddress destination) {
    // An IPv6 address that contains an IPv4 address has no route.
    return destination.family() == address().family() && destination.gid().isIpv4() == own.isIpv4();
  }

  @Override
  public Delivery connect(Route route, Offer offer, int psn, ReliableEnd from) {
    RemoteEnd asked = RemoteEnd.asked(this, route, offer, freshId(), from);
    byId.put(asked.id(), asked);
    from.sent(asked);
    asked.request(route, offer, psn, guid());
    return Delivery.TAKEN;
  }

  @Override
  public Delivery find(Route route, byte[] data, DatagramEnd from) {
    questions.ask(route, data, from);
    return Delivery.TAKEN;
  }

  private int freshId() {
    int id = random.nextInt();
    while (id == 0 || byId.containsKey(id)) {
      id = random.nextInt();
    }
    return id;
  }

  // ---- the state of connections

  /** Records the peer's communication ID of a connection. */
  void named(RemoteEnd end) {
    byPeerId.put(new Name(end.peer(), end.peerId()), end);
    byPeerQpn.put(new Name(end.peer(), end.peerQpn()), end);
  }

  /** Records a connection whose DREQ is sent until it is answered. */
  void disconnects(RemoteEnd end) {
    disconnecting.add(end);
    if (disconnecting.size() > MOST_DISCONNECTING) {
      disconnecting.oldestOfMost().giveUp();
    }
  }

  /** Records that a DREQ needs no answer any more. */
  void disconnected(RemoteEnd end) {
    disconnecting.remove(end);
  }

  /** Records the end of a connection; repeated messages are still answered. */
  void ended(RemoteEnd end) {
    disconnected(end);
    byPeerQpn.remove(new Name(end.peer(), end.peerQpn()), end);
    ended.add(end);
    if (ended.size() > MOST_ENDED) {
      forget(ended.getFirst());
    }
  }

  private void forget(RemoteEnd end) {
    ended.remove(end);
    byId.remove(end.id(), end);
    byPeerId.remove(new Name(end.peer(), end.peerId()), end);
    byPeerQpn.remove(new Name(end.peer(), end.peerQpn()), end);
  }

  /** Number of connections and SIDR requests that wait or live. */
  int size() {
    return byId.size() - ended.size() + questions.size();
  }

  /** Number of ended connections that are remembered. */
  int remembered() {
    return ended.size();
  }

  // ---- arriving messages

  void arrived(Datagram datagram) {
    Optional<Mad> parsed = Mad.of(datagram.mad());
    if (parsed.isEmpty() || datagram.peer().equals(own)) {
      counts.add(CmCounts.Drop.MALFORMED);
      return;
    }
    Mad message = parsed.get();
    counts.add(CmCounts.Kind.RX_MSGS, message.message());
    switch (message.message()) {
      case REQ -> request(datagram.peer(), message);
      case SIDR_REQ -> questions.asked(datagram.peer(), datagram.qpn(), message);
      case SIDR_REP -> questions.answered(datagram.peer(), message);
      case MRA, REP, RTU, REJ, DREQ, DREP -> connected(datagram.peer(), message);
    }
  }

  private void connected(Gid peer, Mad message) {
    @Nullable RemoteEnd end = end(peer, message);
    if (end != null && end.peer().equals(peer) && end.isOf(message)) {
      if (!end.take(message)) {
        counts.add(CmCounts.Kind.RX_DUPLICATES, message.message());
      }
      return;
    }
    counts.add(CmCounts.Drop.STRANGER);
    if (message.message() == Message.DREQ && end == null) {
      // Answered, because a peer whose other end is gone would retry again and again.
      answer(
          peer,
          CmMad.QPN,
          Mad.of(Message.DREP, message.transaction())
              .set(Ids.LOCAL, message.getInt(Ids.REMOTE))
              .set(Ids.REMOTE, message.getInt(Ids.LOCAL)));
    }
  }

  private @Nullable RemoteEnd end(Gid peer, Mad message) {
    // The sender may know only its own id.
    return RemoteEnd.isGivingUp(message)
        ? byPeerId.get(new Name(peer, message.getInt(Ids.LOCAL)))
        : byId.get(message.getInt(Ids.REMOTE));
  }

  private void request(Gid peer, Mad req) {
    @Nullable RemoteEnd known = byPeerId.get(new Name(peer, req.getInt(Req.LOCAL_ID)));
    if (known != null && known.isOverBefore(req)) {
      forget(known);
    } else if (known != null) {
      counts.add(CmCounts.Kind.RX_DUPLICATES, Message.REQ);
      known.takeAgain();
      return;
    }
    int reason = reasonAgainst(peer, req);
    if (reason != 0) {
      reject(peer, req, reason);
      return;
    }
    long service = req.get(Req.SERVICE_ID);
    CmPath path =
        CmPath.ofPeer(
            peer,
            own,
            req.getInt(Req.MTU),
            req.getInt(Req.HOP_LIMIT),
            req.getInt(Req.TRAFFIC_CLASS),
            Math.max(0, req.getInt(Req.ACK_TIMEOUT) - 1));
    int type = OfferMessages.type(req);
    Route route = route(req, service, type, path);
    RemoteEnd asking = RemoteEnd.asking(this, peer, freshId(), type, req);
    byId.put(asking.id(), asking);
    named(asking);
    switch (ports.deliver(
        route, OfferMessages.offered(req), req.getInt(Req.STARTING_PSN), asking)) {
      case TAKEN -> {}
      case BUSY -> {
        forget(asking);
        counts.add(CmCounts.Drop.NO_ROOM);
      }
      case REFUSED -> {
        forget(asking);
        reject(peer, req, ReliableEnd.REASON_INVALID_SERVICE);
      }
    }
  }

  /** Why a request can't be delivered to any listener; 0 when it can. */
  private int reasonAgainst(Gid peer, Mad req) {
    long service = req.get(Req.SERVICE_ID);
    // The connection's packets go to the address that the request names: it must be the sender's.
    if (!req.gid(Req.LOCAL_GID).equals(peer) || !req.gid(Req.REMOTE_GID).equals(own)) {
      return ReliableEnd.REASON_INVALID_GID;
    }
    if (!isFor(peer, req, service)) {
      return ReliableEnd.REASON_INVALID_SERVICE;
    }
    if (OfferMessages.type(req) < 0) {
      return ReliableEnd.REASON_INVALID_TRANSPORT;
    }
    if (req.getInt(Req.MTU) < 1 || req.getInt(Req.MTU) > port.mtu()) {
      return ReliableEnd.REASON_INVALID_MTU;
    }
    @Nullable RemoteEnd old = byPeerQpn.get(new Name(peer, req.getInt(Req.QPN)));
    if (old != null) {
      old.isStale();
      return ReliableEnd.REASON_STALE;
    }
    return 0;
  }

  /**
   * True when a request names the sender's address, this device's address, and a port's service.
   */
  boolean isFor(Gid peer, Mad request, long service) {
    int space = Mad.space(service);
    return service >>> Integer.SIZE == 0
        && (space == RdmaCm.PS_TCP || space == RdmaCm.PS_UDP || space == RdmaCm.PS_IB)
        && request.source().filter(source -> source.gid().equals(peer)).isPresent()
        && request.destination(service).filter(own -> own.gid().equals(this.own)).isPresent();
  }

  /** The route from a SIDR request back to its sender. */
  Route route(Gid peer, Mad question, long service) {
    return route(
        question,
        service,
        Verbs.QPT_UD,
        CmPath.ofPeer(peer, own, port.mtu(), CmPort.HOP_LIMIT, 0, CmPort.LIFETIME));
  }

  private static Route route(Mad request, long service, int type, CmPath path) {
    return new Route(
        Mad.space(service),
        type,
        request.source().orElseThrow(),
        request.destination(service).orElseThrow(),
        path);
  }

  /** Delivers a SIDR request to a listener of this device. */
  Delivery deliver(Route route, byte[] data, DatagramPeer from) {
    return ports.deliver(route, data, from);
  }

  private void reject(Gid peer, Mad req, int reason) {
    answer(
        peer,
        CmMad.QPN,
        Mad.of(Message.REJ, req.transaction())
            .set(Ids.REMOTE, req.getInt(Req.LOCAL_ID))
            .set(Rej.REASON, reason));
  }
}
