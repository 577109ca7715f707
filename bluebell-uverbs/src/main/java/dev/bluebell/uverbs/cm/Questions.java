package dev.bluebell.uverbs.cm;

import dev.bluebell.hca.Gid;
import dev.bluebell.roce.packet.CmMad;
import dev.bluebell.roce.packet.CmMad.Message;
import dev.bluebell.roce.packet.CmMad.SidrRep;
import dev.bluebell.roce.packet.CmMad.SidrReq;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * SIDR requests, which resolve datagram queue pairs, between this device and others. Mirrors {@code
 * cm.c}. Guarded by the {@link ConnectionManager}.
 */
final class Questions {
  /** Number of answers to other devices that are kept for repeated requests. */
  static final int MOST_ANSWERED = 1024;

  private static final byte[] NOTHING = new byte[0];

  private final Network network;

  /** Each belongs to an id that awaits the answer, so the quota of ids limits them. */
  private final Map<Integer, Asked> asked = new HashMap<>();

  private final Map<Name, Asking> asking = new LinkedHashMap<>();
  private final Map<Name, Asking> answered =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Name, Asking> eldest) {
          return size() > MOST_ANSWERED;
        }
      };

  /** The identity of another device's request. */
  private record Name(Gid peer, int qpn, int number) {}

  Questions(Network network) {
    this.network = network;
  }

  int size() {
    return asked.size() + asking.size();
  }

  // ---- of this device

  /** A pending request of this device. */
  final class Asked extends Deadlines.Waiting {
    private final Gid peer;
    private final int number;
    private final Mad question;
    private final DatagramEnd from;
    private int retriesLeft = ReliableEnd.RETRIES;

    private Asked(Gid peer, int number, Mad question, DatagramEnd from) {
      super(network.deadlines());
      this.peer = peer;
      this.number = number;
      this.question = question;
      this.from = from;
    }

    private void send() {
      network.send(from.client(), peer, CmMad.QPN, question);
      network.deadlines().set(this, DatagramEnd.RETRY_NANOS);
    }

    @Override
    void expire() {
      if (retriesLeft > 0) {
        retriesLeft--;
        network.counts().add(CmCounts.Kind.TX_RETRIES, Message.SIDR_REQ);
        send();
      } else {
        cancel();
        from.unanswered();
      }
    }

    /** Stops waiting for an answer. */
    void cancel() {
      asked.remove(number, this);
      network.deadlines().clear(this);
    }
  }

  /** Sends a request to another device. */
  void ask(Route route, byte[] data, DatagramEnd from) {
    int number = network.random();
    while (asked.containsKey(number)) {
      number = network.random();
    }
    Mad question =
        Mad.of(Message.SIDR_REQ, network.transaction(number))
            .set(SidrReq.REQUEST_ID, number)
            .set(SidrReq.P_KEY, CmPath.PARTITION)
            .set(SidrReq.SERVICE_ID, Mad.service(route.space(), route.destination().port()))
            .setData(route.source(), route.destination(), data);
    Asked fresh = new Asked(route.path().destination(), number, question, from);
    asked.put(number, fresh);
    from.sent(fresh);
    fresh.send();
  }

  /** Handles another device's answer. */
  void answered(Gid peer, Mad rep) {
    int number = rep.getInt(SidrRep.REQUEST_ID);
    @Nullable Asked question = asked.get(number);
    if (question == null || !question.peer.equals(peer)) {
      network.counts().add(CmCounts.Drop.STRANGER);
      return;
    }
    question.cancel();
    question.from.found(
        rep.getInt(SidrRep.STATUS), rep.getInt(SidrRep.QPN), rep.getInt(SidrRep.Q_KEY), rep.data());
  }

  // ---- of other devices

  /** A question of another device. */
  private final class Asking implements DatagramPeer {
    private final Name name;
    private final long transaction;
    private final long service;
    private @Nullable Mad answer;

    Asking(Name name, long transaction, long service) {
      this.name = name;
      this.transaction = transaction;
      this.service = service;
    }

    @Override
    public void found(int status, int qpn, int qkey, byte[] data) {
      answer = reply(status, qpn, qkey, data);
      asking.remove(name);
      answered.put(name, this);
      network.send(Questions.this, name.peer, name.qpn, answer);
    }

    private Mad reply(int status, int qpn, int qkey, byte[] data) {
      return Mad.of(Message.SIDR_REP, transaction)
          .set(SidrRep.REQUEST_ID, name.number)
          .set(SidrRep.STATUS, status)
          .set(SidrRep.QPN, qpn)
          .set(SidrRep.SERVICE_ID, service)
          .set(SidrRep.Q_KEY, qkey)
          .setData(data);
    }

    private void again() {
      if (answer != null) {
        network.counts().add(CmCounts.Kind.TX_RETRIES, Message.SIDR_REP);
        network.answer(name.peer, name.qpn, answer);
      }
    }
  }

  /** A question of another device. */
  void asked(Gid peer, int qpn, Mad req) {
    Name name = new Name(peer, qpn, req.getInt(SidrReq.REQUEST_ID));
    @Nullable Asking known = asking.getOrDefault(name, answered.get(name));
    if (known != null) {
      network.counts().add(CmCounts.Kind.RX_DUPLICATES, Message.SIDR_REQ);
      known.again();
      return;
    }
    long service = req.get(SidrReq.SERVICE_ID);
    Asking fresh = new Asking(name, req.transaction(), service);
    if (!network.isFor(peer, req, service)) {
      refuse(fresh);
      return;
    }
    asking.put(name, fresh);
    switch (network.deliver(network.route(peer, req, service), req.dataBehindAddresses(), fresh)) {
      case TAKEN -> {}
      case BUSY -> {
        asking.remove(name);
        network.counts().add(CmCounts.Drop.NO_ROOM);
      }
      case REFUSED -> refuse(fresh);
    }
  }

  // Keeps no state, because a repeated request gets the same answer.
  private void refuse(Asking question) {
    asking.remove(question.name);
    network.answer(
        question.name.peer,
        question.name.qpn,
        question.reply(DatagramEnd.UNSUPPORTED, 0, 0, NOTHING));
  }
}
