package dev.bluebell.softnic.transport.reliable;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.structure.View;
import dev.bluebell.roce.packet.Aeth;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.roce.packet.Psn;
import dev.bluebell.softnic.diagnosis.QueueCounter;
import dev.bluebell.softnic.engine.Effort;
import dev.bluebell.softnic.fabric.Route;
import dev.bluebell.softnic.packet.Opcodes;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.TagMatching;
import dev.bluebell.softnic.queue.VendorSyndrome;
import dev.bluebell.softnic.transport.connection.Connection;
import dev.bluebell.softnic.transport.connection.End;
import dev.bluebell.softnic.transport.connection.Lifecycle;
import dev.bluebell.softnic.transport.connection.QpIdentity;
import dev.bluebell.softnic.transport.connection.ReceiveSource;
import dev.bluebell.softnic.transport.connection.ResponderHalf;
import dev.bluebell.softnic.transport.local.DirectDelivery;
import dev.bluebell.softnic.transport.operation.Rendezvous;
import dev.bluebell.softnic.transport.receive.Arrival;
import dev.bluebell.softnic.transport.receive.Deliveries;
import dev.bluebell.softnic.transport.receive.HeldReceive;
import dev.bluebell.softnic.transport.receive.IncomingMessage;
import dev.bluebell.softnic.transport.receive.Refusal;
import dev.bluebell.softnic.transport.receive.Refusals;
import dev.bluebell.softnic.transport.receive.SendDelivery;
import dev.bluebell.softnic.transport.receive.StridingDelivery;
import dev.bluebell.softnic.transport.receive.TagDelivery;
import dev.bluebell.softnic.transport.receive.WriteDelivery;
import dev.bluebell.softnic.transport.receive.XrcDirectory;
import dev.bluebell.softnic.transport.receive.XrcSrq;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The responder of a reliable connection, plain or of XRC: executes requests in PSN order, through
 * {@link SendDelivery}, {@link WriteDelivery} and {@link ReadResponder}, and responds in its turns.
 * Pure logic. Owned by the thread that runs the engine.
 */
public final class RcResponder implements ResponderHalf {
  /** Time for which a message of a distant peer may wait for a receive WQE without a report. */
  private static final long STARVED_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final int NO_NAK = 0;

  private final Chip chip;
  private final Lifecycle life;
  private final Effort effort;
  private final Connection connection;
  private final @Nullable XrcDirectory directory;
  private final Packet response = new Packet();
  private final Refusal refusal;
  private final Refusals refusals;
  private final IncomingMessage message;
  private final HeldReceive held;
  private final SendDelivery sends;
  private final @Nullable TagDelivery tagged;
  private final WriteDelivery writes;
  private final ReadResponder reads;
  private final DirectDelivery direct;
  private final @Nullable StridingDelivery strides;

  // Receive queue of messages; for XRC, the one that the last request named.
  private ReceiveSource source;
  private int srqn;

  // The shared receive queue that the XRC request being executed names.
  private @Nullable XrcSrq serving;

  private int expected;
  private int msn;
  private int rnrTimer;
  private boolean established;

  // Responses to be sent behind those of the READs.
  private boolean acknowledge;
  private boolean gapReported;
  private boolean reportGap;
  private boolean notReady;
  private boolean reportNotReady;

  // Set from a refusal for want of a receive WQE until a request is executed. The report is due at
  // starvedAt; only a distant peer can't make it itself.
  private boolean starving;
  private long starvedAt = Long.MAX_VALUE;
  private int nak = NO_NAK;
  private int nakPsn;

  // Protection domain whose client may read everything about the keys of the refused request. For
  // XRC, it is that of the queue that the request named: the target may belong to no client, and
  // later requests may have named queues of others.
  private int nakPd;
  private int receiveSyndrome;
  private String nakExplanation = "";
  private String nakToStrangers = "";

  // Cached here because every message needs them.
  private final QpIdentity self;
  private final int number;
  private final int service;
  private int remoteQpn;
  private long origin;
  private int logMtu;

  /**
   * @param source the receive queue of messages
   * @param rendezvous null when the queue pair does not do rendezvous
   * @param directory finds the receive queues that XRC requests name instead; null for a plain
   *     connection
   */
  public RcResponder(
      End end,
      ReceiveSource source,
      @Nullable Rendezvous rendezvous,
      @Nullable XrcDirectory directory) {
    chip = end.chip();
    this.directory = directory;
    life = end.life();
    connection = end.connection();
    this.source = source;
    self = end.self();
    number = self.number();
    effort = chip.scheduler().effort();
    service = Opcodes.service(self.service());
    Arrival arrival = Arrival.of(end, source);
    message = arrival.message();
    held = arrival.held();
    refusal = arrival.refusal();
    refusals = arrival.refusals();
    sends = new SendDelivery(chip, self, arrival);
    strides = source.queue().isStriding() ? new StridingDelivery(end, arrival) : null;
    tagged =
        source.tags() == null
            ? null
            : new TagDelivery(end, arrival, source.tags(), sends, strides, rendezvous);
    direct = new DirectDelivery(self.pd(), source, held, sends);
    writes = new WriteDelivery(chip, self, arrival);
    reads = new ReadResponder(this, end, arrival, response);
  }

  @Override
  public int expectedPsn() {
    return expected;
  }

  @Override
  public void reset() {
    message.abandon();
    held.reset();
    if (tagged != null) {
      tagged.reset();
    }
    reads.reset();
    refusal.clear();
    established = false;
    acknowledge = false;
    gapReported = false;
    reportGap = false;
    notReady = false;
    reportNotReady = false;
    feed();
    nak = NO_NAK;
  }

  private void feed() {
    starving = false;
    starvedAt = Long.MAX_VALUE;
  }

  @Override
  public void start(View qpc) {
    start(qpc.getInt(Qpc.NEXT_RCV_PSN), qpc.getInt(Qpc.LOG_RRA_MAX));
  }

  /**
   * Starts the responder.
   *
   * @param psn of the first request
   * @param logReads logarithm of the most READs and atomics that it serves at a time
   */
  public void start(int psn, int logReads) {
    expected = psn;
    msn = 0;
    reads.start(logReads);
  }

  @Override
  public void configure(View qpc) {
    configure(ResponderAttributes.ofQp(qpc));
  }

  /** Applies the attributes that may also change later. */
  public void configure(ResponderAttributes attributes) {
    rnrTimer = attributes.rnrTimer();
    remoteQpn = connection.remoteQpn();
    origin = connection.origin();
    logMtu = connection.logMtu();
    connection.address(response);
    TagMatching tags = source.tags();
    int csRes = attributes.answersInCqes();
    sends.putDataInCqes(tags == null ? csRes : tags.dataInCqes(csRes));
    writes.allow(attributes.writes());
    reads.configure(attributes);
    direct.configure(attributes.writes(), attributes.reads(), connection.origin());
  }

  // ---- requests

  /** True when an opcode belongs to the queue pair's service. */
  public boolean serves(int opcode) {
    return (opcode & ~BthOpcode.OPERATION_MASK) == service;
  }

  /**
   * The shared receive queue whose client's memory a request of XRC is for: the one that it names,
   * or that of an earlier request which waits for a page. Null when there is no such queue.
   */
  public @Nullable XrcSrq queueOf(Packet request) {
    if (serving != null) {
      return serving;
    }
    return directory == null ? null : directory.find(request.srqn);
  }

  @Override
  public String receive(Packet request) {
    if (life.state() != QpState.RTS || !connection.isPeer(request) || nak != NO_NAK) {
      String why = whyNot(request);
      if (!why.isEmpty()) {
        return why;
      }
    }
    if (request.psn == expected) {
      execute(request);
    } else {
      outOfSequence(request);
    }
    life.wake();
    return "";
  }

  /** Says why a request is dropped; empty when it is not. */
  private String whyNot(Packet request) {
    String stranger = connection.whyNot(request, life);
    if (!stranger.isEmpty()) {
      return drop(request, stranger);
    }
    if (nak != NO_NAK) {
      return drop(request, "%s refused an earlier request".formatted(self.name()));
    }
    if (life.state() == QpState.RTR && !established && expected == request.psn) {
      established = true;
      life.raise(HcaEvent.COMMUNICATION_ESTABLISHED);
    }
    return "";
  }

  private void outOfSequence(Packet request) {
    boolean ahead = Psn.distance(expected, request.psn) > 0;
    chip.counters().count(ahead ? QueueCounter.OUT_OF_SEQUENCE : QueueCounter.DUPLICATE_REQUEST);
    if (ahead) {
      chip.recorder().record(HcaHappening.DROPPED, number, 0, request.psn);
      // One NAK per gap, and no NAK behind an RNR NAK, after which the requester sends everything
      // again anyway.
      reportGap |= !gapReported && !notReady;
      gapReported = true;
    } else if (BthOpcode.isAnswered(request.opcode)) {
      reads.replay(request);
    } else {
      acknowledge = true;
    }
  }

  private String drop(Packet request, String why) {
    chip.recorder().record(HcaHappening.DROPPED, number, 0, request.psn);
    return why;
  }

  private void execute(Packet request) {
    gapReported = false;
    reportGap = false;
    notReady = false;
    reportNotReady = false;
    int opcode = request.opcode;
    boolean answered = BthOpcode.isAnswered(opcode);
    int psns = answered ? reads.psns(request) : request.packets;
    if (!done(request, opcode, answered)) {
      if (strides != null) {
        expected = Psn.add(expected, strides.takeAccepted());
      }
      takeRefusal(expected, message.pd());
      return;
    }
    feed();
    expected = Psn.add(expected, psns);
    if (BthOpcode.isLast(opcode)) {
      count(opcode, answered);
      Deliveries.note(chip.recorder(), number, request);
      msn = msn + 1 & Psn.MASK;
    }
    // The response of a READ or atomic acknowledges it and everything before it.
    acknowledge = !answered && (acknowledge || request.acknowledge);
  }

  private void count(int opcode, boolean answered) {
    if (answered) {
      boolean read = BthOpcode.operation(opcode) == BthOpcode.READ_REQUEST;
      chip.counters().count(read ? QueueCounter.READ_REQUESTS : QueueCounter.ATOMIC_REQUESTS);
    } else if (BthOpcode.isWrite(opcode)) {
      chip.counters().count(QueueCounter.WRITE_REQUESTS);
    }
  }

  private boolean done(Packet request, int opcode, boolean answered) {
    if (directory == null) {
      return execute(request, opcode, answered);
    }
    serving = directory.find(request.srqn);
    try {
      return enter(request, directory) && execute(request, opcode, answered);
    } finally {
      serving = null;
    }
  }

  private boolean execute(Packet request, int opcode, boolean answered) {
    if (answered) {
      return reads.execute(request);
    }
    boolean send = BthOpcode.isSend(opcode);
    if (!send && !BthOpcode.isWrite(opcode)) {
      return refusals.opcode(request);
    }
    if (!Refusals.fits(request, logMtu)) {
      return refusals.size(request, logMtu);
    }
    if (!send) {
      return writes.deliver(request, source, origin);
    }
    if (tagged != null) {
      return tagged.deliver(request, source, origin);
    }
    return strides == null
        ? sends.deliver(request, source, origin, 0)
        : strides.deliver(request, source, origin);
  }

  /** Switches to the shared receive queue that an XRC request names; false when it is refused. */
  private boolean enter(Packet request, XrcDirectory queues) {
    XrcSrq queue = queues.find(request.srqn);
    if (queue == null) {
      return refusals.access(queues.whyNot(request.srqn));
    }
    if (message.isArriving() && request.srqn != srqn) {
      return refusals.otherQueue(request, srqn);
    }
    srqn = request.srqn;
    source = queue.source();
    message.enter(source.queue().pd());
    return true;
  }

  @Override
  public void forget(ReceiveSource gone) {
    if (source.equals(gone)) {
      held.forget(gone);
      message.abandon();
    }
  }

  /**
   * Turns a refusal into a pending NAK.
   *
   * @param pd protection domain that the keys of the request must belong to
   */
  private void takeRefusal(int psn, int pd) {
    nakPd = pd;
    if (refusal.code() == Aeth.RNR_NAK) {
      chip.counters().count(QueueCounter.OUT_OF_BUFFER);
      notReady = true;
      reportNotReady = true;
      nakExplanation =
          refusal.explanation().isEmpty() ? held.starvation(source) : refusal.explanation();
      nakToStrangers = nakExplanation;
      if (!starving && directory == null && !connection.farPeer().isEmpty()) {
        starving = true;
        starvedAt = chip.time().now() + STARVED_NANOS;
        life.schedule();
      }
    } else {
      nak = refusal.code();
      nakPsn = psn;
      receiveSyndrome = refusal.syndrome();
      nakExplanation = refusal.explanation();
      nakToStrangers = refusal.toStrangers();
    }
    refusal.clear();
  }

  @Override
  public long deadline() {
    return starvedAt;
  }

  @Override
  public void onTimer() {
    if (starvedAt > chip.time().now()) {
      return;
    }
    starvedAt = Long.MAX_VALUE;
    // With a receive WQE posted meanwhile, the peer's next attempt succeeds.
    if (source.queue().available() == 0) {
      chip.explainQueuePair(number, HeldReceive.missed(connection.farPeer(), nakExplanation));
    }
  }

  /** Drops a duplicate at a PSN without a response, because its memory now refuses access. */
  void dropAnswer(int psn) {
    refusal.clear();
    chip.recorder().record(HcaHappening.DROPPED, number, 0, psn);
  }

  /**
   * Refuses a READ or atomic at a PSN of its response, and drops all pending responses behind it.
   *
   * @param pd protection domain that its key must belong to
   */
  void refuseAnswer(int psn, int pd) {
    takeRefusal(psn, pd);
    // A receive WQE that is in use belongs to a later message, which is flushed.
    receiveSyndrome = Syndrome.WR_FLUSH_ERR;
    reads.giveUp();
  }

  // ---- requests that cut through

  /**
   * True when a request with this PSN from the connection of a queue pair would be the next to
   * execute, and no response is pending before it.
   */
  boolean awaits(Connection requester, int qpn, int psn) {
    return directory == null
        && (life.state() == QpState.RTS || life.state() == QpState.RTR && established)
        && qpn == remoteQpn
        && psn == expected
        && nak == NO_NAK
        && !message.isArriving()
        && reads.isIdle()
        && !acknowledge
        && !reportGap
        && !reportNotReady
        && connection.isPeer(requester)
        && connection.route() != null
        && requester.logMtu() == logMtu;
  }

  /** Records requests that cut through, from the expected PSN on. */
  void passed(int messages, int nextPsn) {
    expected = nextPsn;
    msn = msn + messages & Psn.MASK;
    gapReported = false;
    notReady = false;
  }

  /** The access of requests that cut through to memory and receive queue. */
  public DirectDelivery direct() {
    return direct;
  }

  // ---- responses

  @Override
  public int respond() {
    int state = life.state();
    if (state != QpState.RTR && state != QpState.RTS) {
      return 0;
    }
    int done = 0;
    long budget = reads.isIdle() ? 0 : chip.scheduler().bytesPerTurn();
    while (!reads.isIdle() && budget > effort.spent()) {
      long answered = reads.answer(budget - effort.spent());
      if (answered < 0) {
        return done;
      }
      budget -= answered;
      done++;
    }
    if (reads.isIdle() && (nak != NO_NAK || reportNotReady || reportGap || acknowledge)) {
      done += answerLast() ? 1 : 0;
    }
    return done;
  }

  @Override
  public void settle() {
    if (reads.isIdle()) {
      int unused = respond();
    }
  }

  /**
   * Sends the responses that follow those of the READs; false when there is no room for one now.
   */
  private boolean answerLast() {
    if (nak != NO_NAK) {
      return giveUp();
    }
    if (reportNotReady) {
      reportNotReady = !explain(nakExplanation, nakToStrangers, expected, Aeth.RNR_NAK | rnrTimer);
      acknowledge &= reportNotReady;
      return !reportNotReady;
    }
    if (reportGap) {
      reportGap = !explain("", "", expected, Aeth.PSN_SEQUENCE_NAK);
      acknowledge &= reportGap;
      return !reportGap;
    }
    acknowledge = !explain("", "", Psn.add(expected, -1), Aeth.ACK);
    return !acknowledge;
  }

  private boolean explain(String explanation, String toStrangers, int psn, int syndrome) {
    response.explanation = explanation;
    response.explanationToStrangers = toStrangers;
    response.explainerPd = nakPd;
    boolean taken = respond(BthOpcode.ACKNOWLEDGE, psn, 1, syndrome);
    response.explanation = "";
    response.explanationToStrangers = "";
    return taken;
  }

  private boolean giveUp() {
    String sentence = refused(nakExplanation);
    String toStrangers = refused(nakToStrangers);
    if (!explain(sentence, toStrangers, nakPsn, nak)) {
      return false;
    }
    acknowledge = false;
    if (nak == Aeth.REMOTE_ACCESS_NAK) {
      chip.counters().count(QueueCounter.RESPONDER_ACCESS);
    } else if (nak == Aeth.INVALID_REQUEST_NAK) {
      chip.counters().count(QueueCounter.RESPONDER_INVALID_REQUEST);
    }
    boolean isHeld = held.isHeld();
    if (isHeld) {
      held.fail(
          receiveSyndrome,
          VendorSyndrome.ofReceive(receiveSyndrome, nak),
          chip.keys().tellsAll(nakPd, held.pd()) ? sentence : toStrangers);
    }
    if (!isHeld || receiveSyndrome == Syndrome.WR_FLUSH_ERR) {
      if (tagged != null) {
        tagged.cancel(sentence);
      }
      chip.explainQueuePair(number, sentence);
      life.raise(
          nak == Aeth.REMOTE_ACCESS_NAK ? HcaEvent.WQ_ACCESS_ERROR : HcaEvent.WQ_INVALID_REQUEST);
    }
    nak = NO_NAK;
    life.fail(sentence);
    return true;
  }

  private String refused(String why) {
    String peer = connection.farPeer();
    return "%s refused the request at PSN 0x%06x%s: %s"
        .formatted(self.name(), nakPsn, peer.isEmpty() ? "" : " of " + peer, why);
  }

  /** True when no message is arriving, and no response is pending. */
  public boolean isIdle() {
    return !message.isArriving() && !held.isHeld() && !isOwing();
  }

  private boolean isOwing() {
    return !reads.isIdle() || nak != NO_NAK || reportNotReady || reportGap || acknowledge;
  }

  /** True when a response to the connection of a queue pair waits for a turn. */
  boolean owes(Connection requester, int qpn) {
    return (life.state() == QpState.RTS || life.state() == QpState.RTR)
        && isOwing()
        && qpn == remoteQpn
        && connection.isPeer(requester);
  }

  @Override
  public void flushHeld(String cause) {
    held.flush(cause);
    if (tagged != null) {
      tagged.cancel(cause);
    }
  }

  /**
   * Sends the response, with its payload or result set; false when there is no room for it now.
   *
   * @param operation see {@link BthOpcode}
   */
  public boolean respond(int operation, int psn, int packets, int syndrome) {
    response.opcode = service | operation;
    response.psn = psn;
    response.packets = packets;
    response.msn = msn;
    response.syndrome = syndrome;
    Route route = connection.route();
    if (route == null) {
      return true;
    }
    boolean taken = route.send(response);
    if (taken) {
      chip.counters().sent(packets, response.payloadBytes);
    }
    return taken;
  }
}
