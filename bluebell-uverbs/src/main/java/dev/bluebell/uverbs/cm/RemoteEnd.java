package dev.bluebell.uverbs.cm;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.uverbs.CmAbi.ConnParam;
import dev.bluebell.roce.packet.CmMad;
import dev.bluebell.roce.packet.CmMad.Dreq;
import dev.bluebell.roce.packet.CmMad.Ids;
import dev.bluebell.roce.packet.CmMad.Message;
import dev.bluebell.roce.packet.CmMad.Mra;
import dev.bluebell.roce.packet.CmMad.Rej;
import dev.bluebell.roce.packet.CmMad.Rep;
import dev.bluebell.roce.packet.CmMad.Req;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The proxy of the other end of a connection to another device. Messages of this device's end
 * become datagrams, repeated until they are answered; arriving messages are delivered to it once.
 * Mirrors {@code cm.c}. Guarded by the {@link ConnectionManager}.
 */
final class RemoteEnd extends Deadlines.Waiting implements ConnectionPeer {
  /** {@code cma.c: CMA_CM_RESPONSE_TIMEOUT}, 4.3 s: the time that each end has to answer. */
  static final int RESPONSE_TIMEOUT = 20;

  /** {@code cma.c: CMA_CM_MRA_SETTING}, 65.5 s: the time that a process has to answer. */
  static final int SERVICE_TIMEOUT = 24;

  // The message that an MRA or a REJ is about.
  private static final int ABOUT_REQ = 0;
  private static final int ABOUT_REP = 1;
  private static final int ABOUT_OTHER = 2;

  private final Network network;
  private final Gid peer;
  private final int id;
  private final long transaction;
  private final int type;

  /** Timeout for an answer in nanoseconds, and the number of retries. */
  private final long patience;

  private final int retries;

  private State state;
  private int peerId;
  private int ownQpn;
  private int peerQpn;
  private @Nullable ReliableEnd end;

  /** The last message, sent again when the peer seems to have missed it. */
  private @Nullable Mad last;

  private int retriesLeft;

  /** True when the peer has asked for more time since the last message was sent. */
  private boolean isExtended;

  /** The message that was sent or received last. */
  private enum State {
    REQ_SENT,
    REQ_RCVD,
    REP_SENT,
    REP_RCVD,
    ESTABLISHED,
    DREQ_SENT,
    DREQ_RCVD,
    OVER
  }

  private RemoteEnd(
      Network network,
      Gid peer,
      int id,
      long transaction,
      int type,
      long patience,
      int retries,
      State state) {
    super(network.deadlines());
    this.network = network;
    this.peer = peer;
    this.id = id;
    this.transaction = transaction;
    this.type = type;
    this.patience = patience;
    this.retries = retries;
    this.state = state;
  }

  /** The end to which a request is sent. */
  static RemoteEnd asked(Network network, Route route, Offer offer, int id, ReliableEnd end) {
    RemoteEnd asked =
        new RemoteEnd(
            network,
            route.path().destination(),
            id,
            network.transaction(id),
            route.type(),
            ReliableEnd.RETRY_NANOS,
            ReliableEnd.RETRIES,
            State.REQ_SENT);
    asked.end = end;
    asked.ownQpn = offer.get(ConnParam.QP_NUM);
    return asked;
  }

  /** The end that sent a request. */
  static RemoteEnd asking(Network network, Gid peer, int id, int type, Mad req) {
    RemoteEnd asking =
        new RemoteEnd(
            network,
            peer,
            id,
            req.transaction(),
            type,
            nanos(Math.min(SERVICE_TIMEOUT, req.getInt(Req.LOCAL_RESPONSE_TIMEOUT))),
            req.getInt(Req.MAX_CM_RETRIES),
            State.REQ_RCVD);
    asking.peerId = req.getInt(Req.LOCAL_ID);
    asking.peerQpn = req.getInt(Req.QPN);
    return asking;
  }

  /** The kernel's approximation of 4.096 µs · 2<sup>n</sup>; {@code cm.c: cm_convert_to_ms}. */
  static long nanos(int timeout) {
    return TimeUnit.MILLISECONDS.toNanos(1L << Math.max(0, timeout - 8));
  }

  Gid peer() {
    return peer;
  }

  /** Identity of the client whose id has the connection. */
  Object client() {
    return local().client();
  }

  /** Communication id of this device's end. */
  int id() {
    return id;
  }

  /** Communication id of the other end; 0 while it is not known. */
  int peerId() {
    return peerId;
  }

  /** Queue pair of the other end; 0 while it is not known. */
  int peerQpn() {
    return peerQpn;
  }

  // ---- messages of this device's end

  @Override
  public boolean repeats() {
    return true;
  }

  @Override
  public void taken(ReliableEnd by) {
    end = by;
  }

  void request(Route route, Offer offer, int psn, long guid) {
    sendUntilAnswered(OfferMessages.request(transaction, id, route, offer, psn, guid));
  }

  @Override
  public void replied(Offer reply, int psn) {
    ownQpn = reply.get(ConnParam.QP_NUM);
    state = State.REP_SENT;
    Mad rep = answer(Message.REP);
    OfferMessages.write(rep, reply, type, psn, network.guid());
    sendUntilAnswered(rep);
  }

  @Override
  public void rejected(int reason, byte[] data) {
    Mad rej = answer(Message.REJ).set(Rej.REASON, reason).setData(data);
    switch (state) {
      case REQ_RCVD -> rej.set(Ids.LOCAL, 0).set(Rej.MESSAGE, ABOUT_REQ);
      case REP_RCVD -> rej.set(Rej.MESSAGE, ABOUT_REP);
      case REQ_SENT, REP_SENT, ESTABLISHED, DREQ_SENT, DREQ_RCVD, OVER ->
          rej.set(Rej.MESSAGE, ABOUT_OTHER);
    }
    if (reason == ReliableEnd.REASON_TIMEOUT) {
      // The peer may not have sent its communication ID.
      rej.set(Rej.ARI_BYTES, Long.BYTES).set(Rej.ARI, network.guid());
    }
    end(rej);
  }

  @Override
  public void ready() {
    state = State.ESTABLISHED;
    send(answer(Message.RTU));
  }

  @Override
  public void established() {
    if (state == State.REP_SENT) {
      network.deadlines().clear(this);
      state = State.ESTABLISHED;
    }
  }

  @Override
  public void disconnectRequested() {
    if (state == State.REP_SENT || state == State.ESTABLISHED) {
      state = State.DREQ_SENT;
      network.disconnects(this);
      sendUntilAnswered(
          Mad.of(Message.DREQ, network.transaction(id))
              .set(Ids.LOCAL, id)
              .set(Ids.REMOTE, peerId)
              .set(Dreq.REMOTE_QPN, peerQpn));
    }
  }

  @Override
  public void disconnectReplied() {
    // It has the transaction ID of the DREQ; Linux does not compare it.
    end(answer(Message.DREP));
  }

  private Mad answer(Message message) {
    return Mad.of(message, transaction).set(Ids.LOCAL, id).set(Ids.REMOTE, peerId);
  }

  private void end(Mad message) {
    finish();
    send(message);
  }

  private void finish() {
    network.deadlines().clear(this);
    state = State.OVER;
    network.ended(this);
  }

  private void send(Mad message) {
    last = message;
    transmit(message);
  }

  private void sendUntilAnswered(Mad message) {
    retriesLeft = retries;
    send(message);
    awaitAnswer();
  }

  private void awaitAnswer() {
    isExtended = false;
    network.deadlines().set(this, patience);
  }

  private void sendAgain() {
    if (last != null) {
      network.counts().add(CmCounts.Kind.TX_RETRIES, last.message());
      transmit(last);
    }
  }

  private void transmit(Mad message) {
    if (end == null) {
      network.answer(peer, CmMad.QPN, message);
    } else {
      network.send(end.client(), peer, CmMad.QPN, message);
    }
  }

  /** Answers a repeated message with the same message as before. */
  private void answerAgain(Mad message) {
    network.counts().add(CmCounts.Kind.TX_RETRIES, message.message());
    network.answer(peer, CmMad.QPN, message);
  }

  @Override
  void expire() {
    if (retriesLeft > 0) {
      retriesLeft--;
      sendAgain();
      awaitAnswer();
    } else {
      giveUp();
    }
  }

  /** Stops waiting for an answer. */
  void giveUp() {
    finish();
    local().unanswered();
  }

  private ReliableEnd local() {
    if (end == null) {
      throw new IllegalStateException("no id has the connection");
    }
    return end;
  }

  // ---- arriving messages

  /**
   * True when a message names both ends of this connection. The peer's id is not known before its
   * first answer, and a peer that gives its request up may not know this end's.
   */
  boolean isOf(Mad message) {
    int from = message.getInt(Ids.LOCAL);
    return message.getInt(Ids.REMOTE) == id && (state == State.REQ_SENT || from == peerId)
        || isGivingUp(message)
            && (state == State.REQ_RCVD || state == State.REP_SENT)
            && from == peerId;
  }

  /** True when a message says that its sender no longer waits for the answer to its request. */
  static boolean isGivingUp(Mad message) {
    return message.message() == Message.REJ
        && message.getInt(Rej.REASON) == ReliableEnd.REASON_TIMEOUT;
  }

  /**
   * Handles a message of the other end, except a REQ.
   *
   * @return false when the message has no effect
   */
  boolean take(Mad message) {
    return switch (message.message()) {
      case REP -> takeReply(message);
      case RTU -> takeReady();
      case MRA -> takeAcknowledgement(message);
      case REJ -> takeReject(message);
      case DREQ -> takeDisconnect(message);
      case DREP -> takeDisconnected();
      case REQ, SIDR_REQ, SIDR_REP -> false;
    };
  }

  private boolean takeReply(Mad rep) {
    switch (state) {
      case REQ_SENT -> {
        network.deadlines().clear(this);
        state = State.REP_RCVD;
        peerId = rep.getInt(Ids.LOCAL);
        Offer reply = OfferMessages.replied(rep, type);
        peerQpn = reply.get(ConnParam.QP_NUM);
        network.named(this);
        local().replied(reply, rep.getInt(Rep.STARTING_PSN));
        return true;
      }
      case REP_RCVD -> acknowledge(ABOUT_REP);
      case ESTABLISHED -> confirmAgain();
      case OVER -> rejectAgain();
      case REQ_RCVD, REP_SENT, DREQ_SENT, DREQ_RCVD -> {}
    }
    return false;
  }

  private void confirmAgain() {
    if (last != null && last.message() == Message.RTU) {
      answerAgain(last);
    }
  }

  private boolean takeReady() {
    if (state != State.REP_SENT) {
      return false;
    }
    network.deadlines().clear(this);
    state = State.ESTABLISHED;
    local().ready();
    return true;
  }

  private boolean takeAcknowledgement(Mad mra) {
    int about = mra.getInt(Mra.MESSAGE);
    if (isExtended
        || !(state == State.REQ_SENT && about == ABOUT_REQ
            || state == State.REP_SENT && about == ABOUT_REP)) {
      return false;
    }
    isExtended = true;
    // A peer can extend each wait once, by at most the time that Linux asks for.
    int timeout = Math.min(SERVICE_TIMEOUT, mra.getInt(Mra.SERVICE_TIMEOUT));
    network.deadlines().set(this, nanos(timeout) + nanos(RESPONSE_TIMEOUT));
    return true;
  }

  private boolean takeReject(Mad rej) {
    if (state == State.OVER || state == State.DREQ_RCVD) {
      return false;
    }
    finish();
    last = null;
    local().rejected(rej.getInt(Rej.REASON), rej.data());
    return true;
  }

  private boolean takeDisconnect(Mad dreq) {
    if (dreq.getInt(Dreq.REMOTE_QPN) != ownQpn) {
      return false;
    }
    switch (state) {
      case REP_SENT, REP_RCVD, ESTABLISHED, DREQ_SENT -> {
        network.deadlines().clear(this);
        network.disconnected(this);
        state = State.DREQ_RCVD;
        local().disconnectRequested();
        return true;
      }
      case OVER -> network.answer(peer, CmMad.QPN, answer(Message.DREP));
      case REQ_SENT, REQ_RCVD, DREQ_RCVD -> {}
    }
    return false;
  }

  private boolean takeDisconnected() {
    if (state != State.DREQ_SENT) {
      return false;
    }
    finish();
    local().disconnectReplied();
    return true;
  }

  /** True when a REQ in which the peer uses its id of this connection asks for another one. */
  boolean isOverBefore(Mad req) {
    return state == State.OVER && req.transaction() != transaction;
  }

  /** Handles a repeated REQ. */
  void takeAgain() {
    switch (state) {
      case REQ_RCVD -> acknowledge(ABOUT_REQ);
      case OVER -> rejectAgain();
      // The reply is being repeated, or has arrived.
      case REQ_SENT, REP_SENT, REP_RCVD, ESTABLISHED, DREQ_SENT, DREQ_RCVD -> {}
    }
  }

  private void rejectAgain() {
    if (last != null && last.message() == Message.REJ) {
      answerAgain(last);
    } else {
      network.answer(
          peer, CmMad.QPN, answer(Message.REJ).set(Rej.REASON, ReliableEnd.REASON_STALE));
    }
  }

  // Asks the peer to wait, because the process may need time to answer.
  private void acknowledge(int about) {
    network.answer(
        peer,
        CmMad.QPN,
        answer(Message.MRA).set(Mra.MESSAGE, about).set(Mra.SERVICE_TIMEOUT, SERVICE_TIMEOUT));
  }

  /** Ends this connection: the peer uses its queue pair for a new one, so this one is stale. */
  void isStale() {
    if (state == State.ESTABLISHED) {
      local().disconnect();
    }
  }
}
