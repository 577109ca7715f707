package dev.bluebell.uverbs.cm;

import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.CmAbi.EventResp;
import dev.bluebell.hca.uverbs.CmEventType;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.RdmaCm;
import dev.bluebell.hca.uverbs.Verbs;
import dev.bluebell.server.Account;
import dev.bluebell.uverbs.call.Refusal;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An id of the connection manager: a listener, or one end of a connection. It checks that its state
 * allows a call. {@link CmAddressing}, {@link CmListener}, {@link CmEvents} and {@link CmGroups}
 * have the parts that do not depend on the state. Mirrors {@code cma.c} and {@code ucma.c}. Guarded
 * by the {@link ConnectionManager}.
 */
final class CmId {
  /** {@code rdma_cm.h: RDMA_UDP_QKEY}. */
  private static final int DATAGRAM_KEY = 0x01234567;

  /** {@code ib_verbs.h: IB_EVENT_COMM_EST}. */
  private static final int COMMUNICATION_ESTABLISHED = 4;

  private final ConnectionManager manager;
  private final int number;
  private final int type;
  private final int psn;
  private final Account.Hold hold;
  private final CmAddressing addressing;
  private final CmEvents events;
  private final CmGroups groups = new CmGroups(this);
  private CmFile file;
  private int awaited;
  private boolean destroyed;

  private State state;
  private @Nullable End end;
  private int queueKey;

  /** The state of an id. */
  private enum State {
    IDLE,
    BOUND,
    ADDRESS_RESOLVED,
    ROUTE_RESOLVED,
    CONNECT,
    DISCONNECT,
    LISTEN
  }

  /**
   * A new id of a client.
   *
   * @param uid the client's identifier
   * @param space one of {@link RdmaCm}
   * @param type of its queue pair, as in {@link Verbs}
   */
  CmId(CmFile file, int number, long uid, int space, int type, Account.Hold hold) {
    this(file, number, uid, type, new CmAddressing(file.manager(), space), State.IDLE, hold);
  }

  /** A new id for a request; it has no client's identifier until the client accepts. */
  static CmId answering(
      CmFile file, int number, int type, CmAddressing addressing, Account.Hold hold) {
    return new CmId(file, number, 0, type, addressing, State.CONNECT, hold);
  }

  private CmId(
      CmFile file,
      int number,
      long uid,
      int type,
      CmAddressing addressing,
      State state,
      Account.Hold hold) {
    manager = file.manager();
    this.file = file;
    this.number = number;
    events = new CmEvents(this, uid);
    this.type = type;
    this.addressing = addressing;
    this.state = state;
    this.hold = hold;
    psn = manager.psn();
  }

  int number() {
    return number;
  }

  int type() {
    return type;
  }

  CmFile file() {
    return file;
  }

  CmAddressing addressing() {
    return addressing;
  }

  CmEvents events() {
    return events;
  }

  CmGroups groups() {
    return groups;
  }

  /** Its end of a connection or datagram request; null without one. */
  @Nullable End end() {
    return end;
  }

  int queueKey() {
    return queueKey == 0 ? DATAGRAM_KEY : queueKey;
  }

  // ---- addresses

  /** Binds the id to an address, and to a free port if it has none. */
  void bind(CmAddress address) {
    require(state == State.IDLE, "bind");
    addressing.bind(file.port(), address);
    state = State.BOUND;
  }

  /** Resolves a path to an address; success and failure are reported by an event. */
  void resolve(CmAddress from, CmAddress to) {
    if (state == State.IDLE) {
      bind(from.family() == 0 ? CmAddress.any(to.family()) : from);
    }
    require(state == State.BOUND, "resolve an address for");
    if (addressing.resolve(file.port(), to)) {
      state = State.ADDRESS_RESOLVED;
      events.raise(CmEventType.ADDR_RESOLVED, 0);
    } else {
      file.say(() -> CmFailures.unresolved(this));
      events.raise(CmEventType.ADDR_ERROR, -Errno.ENODEV);
    }
  }

  void resolveRoute() {
    require(state == State.ADDRESS_RESOLVED, "resolve a route for");
    addressing.resolveRoute(file.port());
    state = State.ROUTE_RESOLVED;
    events.raise(CmEventType.ROUTE_RESOLVED, 0);
  }

  /**
   * Starts to take requests.
   *
   * @param most unread requests, as for {@link CmListener}
   */
  void listen(int most) {
    if (state == State.IDLE) {
      bind(CmAddress.any(CmAddress.INET));
    }
    require(state == State.BOUND, "listen with");
    addressing.listen(new CmListener(this, most));
    state = State.LISTEN;
  }

  // ---- options

  void setReusesAddress(boolean value) {
    require(state == State.IDLE || value && state != State.LISTEN, "let others share the port of");
    addressing.setReusesAddress(value);
  }

  void setForOneFamily(boolean value) {
    require(state == State.IDLE || state == State.BOUND, "choose the families of");
    addressing.setForOneFamily(value);
  }

  void setAcknowledgement(int timeout) {
    Refusal.require(
        type == Verbs.QPT_RC || type == Verbs.QPT_XRC_INI,
        Errno.EINVAL,
        "RDMA_OPTION_ID_ACK_TIMEOUT is for queue pairs of RC and initiators of XRC, and id %d has"
            + " one of type %s",
        number,
        Verbs.qpTypeName(type));
    addressing.setAcknowledgement(timeout);
  }

  // ---- connections

  /** Requests a connection, or resolves a datagram queue pair (SIDR). */
  void connect(Offer offer) {
    require(state == State.ROUTE_RESOLVED, "connect");
    Route route = addressing.route(type);
    if (type == Verbs.QPT_UD) {
      ReliableEnd.requireRoom(offer.data().length, route.room(DatagramEnd.MOST_REQUEST_DATA));
      DatagramEnd question = DatagramEnd.question(this);
      state = State.CONNECT;
      end = question;
      question.send(addressing.peers(), route, offer.data(), ReliableEnd.RETRIES);
    } else {
      ReliableEnd.requireRoom(offer.data().length, route.room(ReliableEnd.MOST_REQUEST_DATA));
      Refusal.require(
          type == Verbs.QPT_RC || type == Verbs.QPT_UC || type == Verbs.QPT_XRC_INI,
          Errno.EINVAL,
          "queue pairs of type %s do not connect",
          Verbs.qpTypeName(type));
      ReliableEnd request = ReliableEnd.request(this, route.path(), offer, psn);
      state = State.CONNECT;
      end = request;
      request.send(addressing.peers(), route, offer, ReliableEnd.RETRIES);
    }
  }

  /**
   * Accepts a request; rejects it on failure.
   *
   * @param as the client's identifier of the id from now on
   */
  void accept(long as, Offer reply) {
    requireAnswer(answer -> answer.accept(reply));
    events.setUid(as);
  }

  /** Confirms to the peer, which has accepted, that the queue pair is ready. */
  void acknowledge() {
    requireAnswer(End::acknowledge);
  }

  private void requireAnswer(Consumer<End> answer) {
    require(state == State.CONNECT, "accept");
    End accepted = requireEnd();
    try {
      answer.accept(accepted);
    } catch (Refusal refusal) {
      try {
        accepted.reject(ReliableEnd.REASON_CONSUMER, new byte[0]);
      } catch (Refusal already) {
        // Nothing to reject; the first exception has the reason.
      }
      throw refusal;
    }
  }

  void reject(int reason, byte[] data) {
    int given = reason == 0 ? ReliableEnd.REASON_CONSUMER : reason;
    Refusal.require(
        given == ReliableEnd.REASON_CONSUMER || given == ReliableEnd.REASON_VENDOR_OPTION,
        Errno.EINVAL,
        "a client can't reject for reason %d",
        reason);
    requireEnd().reject(given, data);
  }

  void disconnect() {
    requireEnd().disconnect();
  }

  /** Handles an event of the client's queue pair, which may mean that the peer is ready. */
  void notify(int event) {
    End notified = requireEnd();
    Refusal.require(
        event == COMMUNICATION_ESTABLISHED,
        Errno.EINVAL,
        "rdma_notify takes event 4 (IBV_EVENT_COMM_EST), not %d",
        event);
    notified.establish();
  }

  /** Gets its end of a connection whose request has arrived. */
  ReliableEnd asked(Offer offer, int peerPsn, ConnectionPeer from) {
    ReliableEnd own =
        ReliableEnd.requested(this, addressing.requirePath(), psn, offer, peerPsn, from);
    end = own;
    return own;
  }

  /** Gets its end of a SIDR request that has arrived. */
  void asked(DatagramPeer from) {
    end = DatagramEnd.asked(this, from);
  }

  // ---- groups

  /**
   * Joins a group, which an event reports.
   *
   * @param as the client's identifier of the group
   */
  CmGroup join(long as, CmAddress address) {
    requireDevice();
    Refusal.require(
        !file.port().infiniBand(),
        Errno.ENOSYS,
        "joining a group on an InfiniBand port needs a query to the subnet manager, which this"
            + " device does not make");
    require(
        type == Verbs.QPT_UD && (state == State.BOUND || state == State.ADDRESS_RESOLVED),
        "join a group with");
    return groups.join(as, address);
  }

  // ---- messages that arrive at an end

  void replied(Offer reply) {
    events.raise(
        CmEventType.CONNECT_RESPONSE,
        0,
        event -> CmEvent.writeOffer(event, reply, false, ReliableEnd.MOST_REPLY_DATA));
  }

  void rejected(int reason, byte[] data) {
    if (state != State.CONNECT) {
      return;
    }
    file.say(
        () ->
            reason == ReliableEnd.REASON_INVALID_SERVICE
                ? CmFailures.noListener(this)
                : CmFailures.rejected(this, reason));
    events.raise(
        CmEventType.REJECTED,
        reason,
        event ->
            CmEvent.writePrivate(event.at(EventResp.CONN), data, ReliableEnd.MOST_REJECT_DATA));
  }

  void unreachable(int status) {
    file.say(() -> CmFailures.unanswered(this));
    events.raise(CmEventType.UNREACHABLE, status);
  }

  /** The peer did not confirm the reply. */
  void unconfirmed() {
    file.say(() -> CmFailures.unconfirmed(this));
    events.raise(CmEventType.UNREACHABLE, -Errno.ETIMEDOUT);
  }

  void established() {
    events.raise(CmEventType.ESTABLISHED, 0);
  }

  void disconnected(int status) {
    if (state == State.CONNECT) {
      state = State.DISCONNECT;
      events.raise(CmEventType.DISCONNECTED, status);
    }
  }

  void timewaitEnded() {
    if (state == State.DISCONNECT) {
      events.raise(CmEventType.TIMEWAIT_EXIT, 0);
    }
  }

  /** Handles the answer to a SIDR request. */
  void found(int status, int qpn, int key, byte[] data) {
    if (status == DatagramEnd.FOUND) {
      queueKey = key;
    } else if (status == DatagramEnd.UNSUPPORTED) {
      file.say(() -> CmFailures.noListener(this));
    }
    events.raise(
        status == DatagramEnd.FOUND ? CmEventType.ESTABLISHED : CmEventType.UNREACHABLE,
        status,
        event -> {
          View param = event.at(EventResp.UD);
          CmEvent.writeDatagramData(param, data, DatagramEnd.MOST_REPLY_DATA);
          if (status == DatagramEnd.FOUND) {
            CmEvent.writeDatagram(param, addressing.requirePath(), qpn, queueKey());
          }
        });
  }

  // ---- the end

  boolean isDestroyed() {
    return destroyed;
  }

  /** Moves the id, its events, and the ids of its unread requests to another file of the client. */
  void moveTo(CmFile other) {
    if (destroyed) {
      return;
    }
    file.move(this, other);
    file = other;
    events.moveRequests(other);
  }

  /**
   * Destroys the id and everything it has, and disconnects its peer.
   *
   * @return events that the client has read
   */
  int destroy() {
    if (destroyed) {
      // Another thread of the client was faster, and the number may be reused by now.
      return events.reported();
    }
    destroyed = true;
    state = State.IDLE;
    if (end != null) {
      end.abandon();
    }
    addressing.release();
    file.dropEvents(this, event -> true);
    groups.leaveAll();
    file.disown(this);
    manager.forget(number);
    freeRoom();
    return events.reported();
  }

  /** Runs an action later. The id's quota is held until then, even if it is destroyed first. */
  void after(long nanos, Runnable action) {
    awaited++;
    manager.after(
        nanos,
        () -> {
          awaited--;
          action.run();
          freeRoom();
        });
  }

  private void freeRoom() {
    if (destroyed && awaited == 0) {
      hold.close();
    }
  }

  private void require(boolean condition, String verb) {
    Refusal.require(
        condition,
        Errno.EINVAL,
        "can't %s id %d in state %s (queue pair type %d)",
        verb,
        number,
        state,
        type);
  }

  /** Throws for an id that has no device yet. */
  void requireDevice() {
    Refusal.require(
        addressing.hasDevice(),
        Errno.EINVAL,
        "id %d has no device yet: bind it, or resolve an address",
        number);
  }

  private End requireEnd() {
    if (end == null) {
      throw new Refusal(Errno.EINVAL, "id %d has no connection".formatted(number));
    }
    return end;
  }
}
