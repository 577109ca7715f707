package dev.bluebell.uverbs.cm;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.CmAbi.ConnParam;
import dev.bluebell.hca.uverbs.CmAbi.QpAttr;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.Verbs;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.qp.QpMask;
import dev.bluebell.uverbs.qp.QpStates;
import dev.bluebell.uverbs.session.VportContext;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection: its state, and the attributes of its queue pair. Mirrors {@code cm.c}.
 * Its peer loses no message: it is another end of this device, or a {@link RemoteEnd} that repeats
 * messages. So it needs only three of the kernel's timers: for a listener without room, for a
 * process of this device that does not answer a REP or DREQ, and for packets that may still be in
 * flight.
 */
final class ReliableEnd extends Deadlines.Waiting implements End, ConnectionPeer {
  static final int MOST_REQUEST_DATA = 92;
  static final int MOST_REPLY_DATA = 196;
  static final int MOST_REJECT_DATA = 148;

  static final int REASON_TIMEOUT = 4;
  static final int REASON_INVALID_SERVICE = 8;
  static final int REASON_INVALID_TRANSPORT = 9;
  static final int REASON_STALE = 10;
  static final int REASON_INVALID_GID = 12;
  static final int REASON_INVALID_MTU = 26;
  static final int REASON_CONSUMER = 28;
  static final int REASON_VENDOR_OPTION = 35;

  /** {@code cma.c: CMA_MAX_CM_RETRIES}. */
  static final int RETRIES = 15;

  /**
   * The kernel's timeout for an answer: twice the lifetime of a packet, plus its processing time.
   */
  static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(2 * 1024 + 4096);

  /** The timeout for an answer to the end that was requested, which the REQ names. */
  private static final long REPLY_NANOS = RemoteEnd.nanos(RemoteEnd.RESPONSE_TIMEOUT);

  /** The time for which a kernel asks by an MRA, once, if its process does not answer. */
  private static final long SERVICE_NANOS = RemoteEnd.nanos(RemoteEnd.SERVICE_TIMEOUT);

  /** log2 of the longest TIMEWAIT in milliseconds, 16 s: no packet is in flight for longer here. */
  private static final int MOST_TIMEWAIT = 14;

  private static final byte[] NOTHING = new byte[0];

  private final CmId id;
  private final CmPath path;
  private final int psn;
  private final Deadlines deadlines;

  /** How long a kernel at this end would send a message until it gives up. */
  private final long patience;

  private State state;
  private @Nullable ConnectionPeer peer;
  private int peerQpn;
  private int peerPsn;
  private int initiatorDepth;
  private int responderResources;
  private int retryCount;
  private int rnrRetryCount;

  /** The state of the protocol. */
  private enum State {
    IDLE,
    REQ_SENT,
    REQ_RCVD,
    REP_SENT,
    REP_RCVD,
    ESTABLISHED,
    DREQ_SENT,
    DREQ_RCVD,
    TIMEWAIT
  }

  /**
   * @param psn that the peer starts to send with, 24 bits
   * @param timeout for an answer, in nanoseconds
   */
  private ReliableEnd(CmId id, CmPath path, int psn, long timeout, State state) {
    super(id.file().manager().deadlines());
    deadlines = id.file().manager().deadlines();
    this.id = id;
    this.path = path;
    this.psn = psn;
    patience = (RETRIES + 1) * timeout;
    this.state = state;
  }

  /** The end that requests a connection. */
  static ReliableEnd request(CmId id, CmPath path, Offer offer, int psn) {
    ReliableEnd end = new ReliableEnd(id, path, psn, RETRY_NANOS, State.REQ_SENT);
    end.initiatorDepth = offer.get(ConnParam.INITIATOR_DEPTH);
    end.responderResources = offer.get(ConnParam.RESPONDER_RESOURCES);
    end.retryCount = offer.retries(ConnParam.RETRY_COUNT);
    return end;
  }

  /** The end that receives the request. */
  static ReliableEnd requested(
      CmId id, CmPath path, int psn, Offer offer, int peerPsn, ConnectionPeer peer) {
    ReliableEnd end = new ReliableEnd(id, path, psn, REPLY_NANOS, State.REQ_RCVD);
    end.peer = peer;
    end.peerQpn = offer.get(ConnParam.QP_NUM);
    end.peerPsn = peerPsn;
    end.initiatorDepth = offer.get(ConnParam.RESPONDER_RESOURCES);
    end.responderResources = offer.get(ConnParam.INITIATOR_DEPTH);
    end.retryCount = offer.retries(ConnParam.RETRY_COUNT);
    end.rnrRetryCount = offer.retries(ConnParam.RNR_RETRY_COUNT);
    return end;
  }

  /** Identity of the client's process. */
  Object client() {
    return id.file().owner();
  }

  private void become(State next) {
    deadlines.clear(this);
    state = next;
  }

  private void awaitAnswer(long nanos) {
    if (!peer().repeats()) {
      deadlines.set(this, nanos);
    }
  }

  @Override
  void expire() {
    unanswered();
  }

  /** Sends the request, and retries while the listener has no room for it. */
  void send(Peers peers, Route route, Offer offer, int retries) {
    switch (peers.connect(route, offer, psn, this)) {
      case TAKEN -> {}
      case REFUSED -> rejected(REASON_INVALID_SERVICE, NOTHING);
      case BUSY -> {
        if (retries == 0) {
          unanswered();
        } else {
          id.after(
              RETRY_NANOS,
              () -> {
                if (state == State.REQ_SENT) {
                  send(peers, route, offer, retries - 1);
                }
              });
        }
      }
    }
  }

  /** The request is on the network, where the proxy of the other end repeats it. */
  void sent(RemoteEnd to) {
    peer = to;
  }

  /** The last REQ, REP or DREQ got no answer despite all retries. */
  void unanswered() {
    switch (state) {
      case REQ_SENT -> {
        become(State.IDLE);
        id.unreachable(-Errno.ETIMEDOUT);
      }
      case REP_SENT -> {
        become(State.IDLE);
        id.unconfirmed();
      }
      case DREQ_SENT -> {
        enterTimewait();
        id.disconnected(-Errno.ETIMEDOUT);
      }
      case IDLE, REQ_RCVD, REP_RCVD, ESTABLISHED, DREQ_RCVD, TIMEWAIT -> {}
    }
  }

  // ---- calls of the client

  @Override
  public void accept(Offer reply) {
    require(state == State.REQ_RCVD, "accept");
    requireRoom(reply.data().length, MOST_REPLY_DATA);
    initiatorDepth = reply.get(ConnParam.INITIATOR_DEPTH);
    responderResources = reply.get(ConnParam.RESPONDER_RESOURCES);
    become(State.REP_SENT);
    awaitAnswer(patience + SERVICE_NANOS);
    peer().replied(reply, psn);
  }

  @Override
  public void acknowledge() {
    require(state == State.REP_RCVD, "acknowledge a reply of");
    become(State.ESTABLISHED);
    peer().ready();
  }

  @Override
  public void reject(int reason, byte[] data) {
    requireRoom(data.length, MOST_REJECT_DATA);
    switch (state) {
      case REQ_SENT, REQ_RCVD, REP_RCVD -> become(State.IDLE);
      case REP_SENT -> enterTimewait();
      default -> require(false, "reject");
    }
    if (peer != null) {
      peer.rejected(reason, data);
    }
  }

  @Override
  public void disconnect() {
    if (state == State.ESTABLISHED) {
      become(State.DREQ_SENT);
      awaitAnswer(patience);
      peer().disconnectRequested();
    } else if (state == State.DREQ_RCVD) {
      enterTimewait();
      peer().disconnectReplied();
    }
  }

  @Override
  public void establish() {
    Refusal.require(
        state != State.ESTABLISHED, Errno.EISCONN, "id %d is connected already", id.number());
    require(state == State.REP_SENT, "establish");
    ready();
    peer().established();
  }

  @Override
  public void abandon() {
    State last = state;
    become(State.IDLE);
    if (peer == null) {
      return;
    }
    switch (last) {
      case REQ_SENT -> peer.rejected(REASON_TIMEOUT, NOTHING);
      case REQ_RCVD, REP_SENT, REP_RCVD -> peer.rejected(REASON_CONSUMER, NOTHING);
      case ESTABLISHED -> peer.disconnectRequested();
      case DREQ_RCVD -> peer.disconnectReplied();
      case IDLE, DREQ_SENT, TIMEWAIT -> {}
    }
  }

  // ---- arriving messages

  @Override
  public boolean repeats() {
    return false;
  }

  @Override
  public void taken(ReliableEnd by) {
    peer = by;
  }

  @Override
  public void replied(Offer reply, int peerPsn) {
    if (state != State.REQ_SENT) {
      return;
    }
    become(State.REP_RCVD);
    peerQpn = reply.get(ConnParam.QP_NUM);
    this.peerPsn = peerPsn;
    initiatorDepth = reply.get(ConnParam.RESPONDER_RESOURCES);
    responderResources = reply.get(ConnParam.INITIATOR_DEPTH);
    rnrRetryCount = reply.retries(ConnParam.RNR_RETRY_COUNT);
    id.replied(reply);
  }

  @Override
  public void rejected(int reason, byte[] data) {
    switch (state) {
      case REQ_SENT, REQ_RCVD, REP_SENT -> become(State.IDLE);
      case REP_RCVD, ESTABLISHED, DREQ_SENT -> enterTimewait();
      case IDLE, DREQ_RCVD, TIMEWAIT -> {
        return;
      }
    }
    id.rejected(reason, data);
  }

  @Override
  public void ready() {
    if (state == State.REP_SENT) {
      become(State.ESTABLISHED);
      id.established();
    }
  }

  /** An end of this device has its REP, which is never repeated. */
  @Override
  public void established() {}

  @Override
  public void disconnectRequested() {
    if (state == State.REP_SENT
        || state == State.REP_RCVD
        || state == State.ESTABLISHED
        || state == State.DREQ_SENT) {
      become(State.DREQ_RCVD);
      id.disconnected(0);
    } else {
      peer().disconnectReplied();
    }
  }

  @Override
  public void disconnectReplied() {
    if (state == State.DREQ_SENT || state == State.DREQ_RCVD) {
      enterTimewait();
      id.disconnected(0);
    }
  }

  // Packets of the connection may be in flight for this time; cm.c: cm_convert_to_ms.
  private void enterTimewait() {
    become(State.TIMEWAIT);
    long nanos =
        TimeUnit.MILLISECONDS.toNanos(
            1L << Math.clamp(path.acknowledgement() - 8, 0, MOST_TIMEWAIT));
    id.after(
        nanos,
        () -> {
          if (state == State.TIMEWAIT) {
            become(State.IDLE);
            id.timewaitEnded();
          }
        });
  }

  private ConnectionPeer peer() {
    if (peer == null) {
      throw new IllegalStateException("the request has not been taken");
    }
    return peer;
  }

  private void require(boolean condition, String verb) {
    Refusal.require(
        condition,
        Errno.EINVAL,
        "id %d can't %s a connection in state %s",
        id.number(),
        verb,
        state);
  }

  static void requireRoom(int bytes, int most) {
    Refusal.require(
        bytes <= most,
        Errno.EINVAL,
        "%d bytes of private data are too many; the message has room for %d",
        bytes,
        most);
  }

  // ---- the queue pair

  /** Writes the attributes for a state of the queue pair. */
  void attributes(int qpState, View attributes) {
    boolean prepared =
        switch (state) {
          case REQ_RCVD, REP_SENT, REP_RCVD, ESTABLISHED -> true;
          case REQ_SENT -> qpState == QpStates.INIT;
          case IDLE, DREQ_SENT, DREQ_RCVD, TIMEWAIT -> false;
        };
    require(prepared, "prepare a queue pair for");
    switch (qpState) {
      case QpStates.INIT -> init(attributes);
      case QpStates.RTR -> readyToReceive(attributes);
      case QpStates.RTS -> readyToSend(attributes);
      default -> require(false, "prepare state %d of a queue pair for".formatted(qpState));
    }
  }

  private void init(View attributes) {
    attributes
        .set(
            QpAttr.QP_ATTR_MASK,
            QpMask.STATE | QpMask.ACCESS_FLAGS | QpMask.PKEY_INDEX | QpMask.PORT)
        .set(
            QpAttr.QP_ACCESS_FLAGS,
            HcaAccess.REMOTE_WRITE
                | (responderResources == 0 ? 0 : HcaAccess.REMOTE_READ | HcaAccess.REMOTE_ATOMIC))
        .set(QpAttr.PORT_NUM, VportContext.PORT);
  }

  private void readyToReceive(View attributes) {
    int mask = QpMask.STATE | QpMask.AV | QpMask.PATH_MTU | QpMask.DEST_QPN | QpMask.RQ_PSN;
    if (id.type() == Verbs.QPT_RC || id.type() == Verbs.QPT_XRC_TGT) {
      mask |= QpMask.MAX_DEST_RD_ATOMIC | QpMask.MIN_RNR_TIMER;
      attributes.set(QpAttr.MAX_DEST_RD_ATOMIC, responderResources);
    }
    path.writeTo(attributes.at(QpAttr.AH_ATTR));
    attributes
        .set(QpAttr.QP_ATTR_MASK, mask)
        .set(QpAttr.PATH_MTU, path.mtu())
        .set(QpAttr.DEST_QP_NUM, peerQpn)
        .set(QpAttr.RQ_PSN, psn);
  }

  private void readyToSend(View attributes) {
    int mask = QpMask.STATE | QpMask.SQ_PSN;
    if (id.type() == Verbs.QPT_RC || id.type() == Verbs.QPT_XRC_INI) {
      mask |= QpMask.RETRY_CNT | QpMask.RNR_RETRY | QpMask.MAX_QP_RD_ATOMIC;
      attributes
          .set(QpAttr.RETRY_CNT, retryCount)
          .set(QpAttr.RNR_RETRY, rnrRetryCount)
          .set(QpAttr.MAX_RD_ATOMIC, initiatorDepth);
    }
    if (id.type() != Verbs.QPT_UC) {
      mask |= QpMask.TIMEOUT;
      attributes.set(QpAttr.TIMEOUT, path.acknowledgement());
    }
    attributes.set(QpAttr.QP_ATTR_MASK, mask).set(QpAttr.SQ_PSN, peerPsn);
  }
}
