package dev.bluebell.softnic.transport.reliable;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.structure.View;
import dev.bluebell.roce.packet.Aeth;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.roce.packet.Psn;
import dev.bluebell.softnic.diagnosis.QueueCounter;
import dev.bluebell.softnic.engine.Effort;
import dev.bluebell.softnic.packet.Opcodes;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.TagMatching;
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
import org.jspecify.annotations.Nullable;

/**
 * The responder of a reliable connection, plain or of XRC: executes requests in PSN order, through
 * {@link SendDelivery}, {@link WriteDelivery} and {@link ReadResponder}, and responds in its turns.
 * Pure logic. Owned by the thread that runs the engine.
 */
public final class RcResponder implements ResponderHalf {
  private final Chip chip;
  private final Lifecycle life;
  private final Effort effort;
  private final Connection connection;
  private final @Nullable XrcDirectory directory;
  private final Refusal refusal;
  private final Refusals refusals;
  private final IncomingMessage message;
  private final HeldReceive held;
  private final SendDelivery sends;
  private final @Nullable TagDelivery tagged;
  private final WriteDelivery writes;
  private final ReadResponder reads;
  private final RcReplies replies;
  private final DirectDelivery direct;
  private final @Nullable StridingDelivery strides;

  // Receive queue of messages; for XRC, the one that the last request named.
  private ReceiveSource source;
  private int srqn;

  // The shared receive queue that the XRC request being executed names.
  private @Nullable XrcSrq serving;

  private int expected;
  private boolean established;

  // Of the message of a distant peer; a peer on this device reports it itself.
  private final Starvation starvation = new Starvation();

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
    replies = new RcReplies(end, arrival, tagged);
    reads = new ReadResponder(end, arrival, replies);
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
    replies.reset();
    starvation.end();
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
    replies.start();
    reads.start(logReads);
  }

  @Override
  public void configure(View qpc) {
    configure(ResponderAttributes.ofQp(qpc));
  }

  /** Applies the attributes that may also change later. */
  public void configure(ResponderAttributes attributes) {
    replies.configure(attributes.rnrTimer());
    remoteQpn = connection.remoteQpn();
    origin = connection.origin();
    logMtu = connection.logMtu();
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
    if (life.state() != QpState.RTS || !connection.isPeer(request) || replies.isRefusing()) {
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
    if (replies.isRefusing()) {
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
      replies.reportGap();
    } else if (BthOpcode.isAnswered(request.opcode)) {
      reads.replay(request);
    } else {
      replies.acknowledgeAgain();
    }
  }

  private String drop(Packet request, String why) {
    chip.recorder().record(HcaHappening.DROPPED, number, 0, request.psn);
    return why;
  }

  private void execute(Packet request) {
    replies.noteExpected();
    int opcode = request.opcode;
    boolean answered = BthOpcode.isAnswered(opcode);
    int psns = answered ? reads.psns(request) : request.packets;
    if (!done(request, opcode, answered)) {
      if (strides != null) {
        expected = Psn.add(expected, strides.takeAccepted());
      }
      takeRefusal();
      return;
    }
    starvation.end();
    expected = Psn.add(expected, psns);
    if (BthOpcode.isLast(opcode)) {
      count(opcode, answered);
      Deliveries.note(chip.recorder(), number, request);
      replies.count(1);
    }
    replies.noteExecuted(request, answered);
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
    if (source.queue().hasEnded()) {
      message.abandon();
    }
    if (message.isArriving() && request.srqn != srqn) {
      return refusals.otherQueue(request, srqn);
    }
    srqn = request.srqn;
    source = queue.source();
    message.enter(source.queue().pd());
    return true;
  }

  private void takeRefusal() {
    if (refusal.code() != Aeth.RNR_NAK) {
      replies.refuse(expected, message.pd());
      return;
    }
    chip.counters().count(QueueCounter.OUT_OF_BUFFER);
    replies.notReady(
        refusal.explanation().isEmpty() ? held.starvation(source) : refusal.explanation(),
        message.pd());
    if (!starvation.isStarving() && directory == null && !connection.farPeer().isEmpty()) {
      starvation.begin(chip.time().now());
      life.schedule();
    }
    refusal.clear();
  }

  @Override
  public long deadline() {
    return starvation.deadline();
  }

  @Override
  public void onTimer() {
    // With a receive WQE posted meanwhile, the peer's next attempt succeeds.
    if (starvation.takeReport(chip.time().now()) && source.queue().available() == 0) {
      chip.explainQueuePair(
          number, HeldReceive.missed(connection.farPeer(), replies.explanation()));
    }
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
        && !message.isArriving()
        && !isOwing()
        && connection.isPeer(requester)
        && connection.route() != null
        && requester.logMtu() == logMtu
        && !chip.recorder().isTracing(number);
  }

  /** Records requests that cut through, from the expected PSN on. */
  void passed(int messages, int nextPsn) {
    expected = nextPsn;
    replies.notePassed(messages);
  }

  /** The access of requests that cut through to memory and receive queue. */
  public DirectDelivery direct() {
    return direct;
  }

  /** See {@link Lifecycle#examine}. */
  void examine() {
    life.examine();
  }

  @Override
  public void abandonMessage() {
    message.abandon();
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
    if (reads.isIdle() && replies.isOwing()) {
      done += replies.send(expected) ? 1 : 0;
    }
    return done;
  }

  @Override
  public void settle() {
    if (reads.isIdle()) {
      int unused = respond();
    }
  }

  /** True when no message is arriving, and no response is pending. */
  public boolean isIdle() {
    return !message.isArriving() && !held.isHeld() && !isOwing();
  }

  private boolean isOwing() {
    return !reads.isIdle() || replies.isOwing();
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
}
