package dev.bluebell.softnic.transport.reliable;

import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.text.Counted;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.roce.packet.Psn;
import dev.bluebell.softnic.diagnosis.FlightRecorder;
import dev.bluebell.softnic.diagnosis.QueueCounter;
import dev.bluebell.softnic.engine.Adversary;
import dev.bluebell.softnic.engine.Effort;
import dev.bluebell.softnic.fabric.Route;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.SendQueue;
import dev.bluebell.softnic.queue.SendWqe;
import dev.bluebell.softnic.queue.VendorSyndrome;
import dev.bluebell.softnic.queue.WqeDecoder;
import dev.bluebell.softnic.timing.Pace;
import dev.bluebell.softnic.transport.connection.Connection;
import dev.bluebell.softnic.transport.connection.End;
import dev.bluebell.softnic.transport.connection.Lifecycle;
import dev.bluebell.softnic.transport.connection.QpIdentity;
import dev.bluebell.softnic.transport.connection.RequesterHalf;
import dev.bluebell.softnic.transport.local.CutThrough;
import dev.bluebell.softnic.transport.operation.AtomicRequests;
import dev.bluebell.softnic.transport.operation.FetchWatch;
import dev.bluebell.softnic.transport.operation.LocalOperations;
import dev.bluebell.softnic.transport.operation.Outstanding;
import dev.bluebell.softnic.transport.operation.Progress;
import dev.bluebell.softnic.transport.operation.RefusedRequest;
import dev.bluebell.softnic.transport.operation.RequestReports;
import dev.bluebell.softnic.transport.operation.SendRequests;
import dev.bluebell.softnic.transport.operation.SendSide;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The requester of a reliable connection, plain or of XRC: fetches WQEs from the ring, sends them
 * ({@link RcSender}), keeps them until they are acknowledged ({@link RcAnswers}), retransmits lost
 * packets, and completes them. Pure logic on the device's cached clock. Owned by the thread that
 * runs the engine.
 */
public final class RcRequester implements RequesterHalf {
  /** Most messages of one turn, so that one queue cannot starve the others. */
  private static final int MESSAGES_PER_TURN = 64;

  private static final long NANOS_PER_MICRO = 1_000;

  private static final WqeDecoder PLAIN =
      decoder(ServiceType.RC, WqeOpcode.TAG_MATCHING, WqeOpcode.MMO, WqeOpcode.LOCAL_MMO);
  private static final WqeDecoder EXTENDED = decoder(ServiceType.XRC);
  private static final WqeDecoder DYNAMIC = decoder(ServiceType.DCI, WqeOpcode.MMO);
  private static final WqeDecoder COMPACT = DYNAMIC.withCompactVectors();

  private final Chip chip;
  private final Lifecycle life;
  private final Connection connection;
  private final PeerSelection peers;
  private final Outstanding outstanding = new Outstanding();
  private final PsnWindow window = new PsnWindow();
  private final Retries retries = new Retries();
  private final RefusedRequest refused;
  private final LocalOperations operations;
  private final Effort effort;
  private final RcSender sender;
  private final RcAnswers answers;
  private final SendRequests requests;
  private final RequestReports reports;
  private final SendQueue sendQueue;
  private final WqeDecoder decoder;

  private final @Nullable Adversary adversary;

  // Null when all requests are sent as packets.
  private final @Nullable CutThrough cutThrough;

  // Null without virtual time.
  private final @Nullable Pace pace;

  private final FlightRecorder recorder;
  private final int number;

  // True when a fetched request waits for PSNs, or for the responses of another target.
  private boolean held;

  private int logMtu;
  private long longest = WqeDecoder.MAX_MESSAGE;

  private static WqeDecoder decoder(ServiceType service, int... own) {
    IntStream common =
        IntStream.of(
            WqeOpcode.NOP,
            WqeOpcode.SEND,
            WqeOpcode.SEND_IMM,
            WqeOpcode.SEND_INVAL,
            WqeOpcode.RDMA_WRITE,
            WqeOpcode.RDMA_WRITE_IMM,
            WqeOpcode.RDMA_READ,
            WqeOpcode.ATOMIC_CS,
            WqeOpcode.ATOMIC_FA,
            WqeOpcode.ATOMIC_MASKED_CS,
            WqeOpcode.ATOMIC_MASKED_FA,
            WqeOpcode.UMR,
            WqeOpcode.WAIT,
            WqeOpcode.SEND_EN,
            WqeOpcode.RECV_EN);
    return new WqeDecoder(service, IntStream.concat(common, IntStream.of(own)).toArray());
  }

  /**
   * @param peers selects the peer of each request
   * @param operations executes local requests
   * @param cutThrough executes simple requests without packets; null when all are sent as packets
   * @param pace decides when requests begin, on devices with virtual time; null on others
   */
  public RcRequester(
      End end,
      PeerSelection peers,
      SendSide sends,
      LocalOperations operations,
      @Nullable CutThrough cutThrough,
      @Nullable Pace pace) {
    chip = end.chip();
    QpIdentity self = end.self();
    life = end.life();
    connection = end.connection();
    this.peers = peers;
    this.operations = operations;
    this.cutThrough = cutThrough;
    this.pace = pace;
    refused = operations.refused();
    reports = sends.reports();
    sendQueue = sends.queue();
    number = self.number();
    recorder = chip.recorder();
    effort = chip.scheduler().effort();
    adversary = chip.adversary();
    sender =
        new RcSender(
            end,
            outstanding,
            window,
            operations,
            adversary == null ? null : new FetchWatch(chip, number, sendQueue));
    requests = new SendRequests(end, sends, outstanding);
    answers = new RcAnswers(this, chip, self, outstanding, window, sender);
    decoder =
        switch (self.service()) {
          case XRC -> EXTENDED;
          case DCI -> connection.station().takesCompactVectors() ? COMPACT : DYNAMIC;
          default -> PLAIN;
        };
  }

  @Override
  public int nextPsn() {
    return window.next();
  }

  @Override
  public void reset() {
    outstanding.clear();
    sender.reset();
    operations.reset();
    answers.reset();
    retries.reset();
    held = false;
    peers.reset();
    if (pace != null) {
      pace.reset();
    }
  }

  @Override
  public void allowCopies(boolean mmo) {
    operations.allowCopies(mmo);
  }

  @Override
  public void start(View qpc, int timeoutCode) {
    window.start(qpc.getInt(Qpc.NEXT_SEND_PSN));
    retries.start(qpc, timeoutCode);
    operations.start(qpc);
    sender.start(qpc);
  }

  @Override
  public void configure(View qpc) {
    logMtu = connection.logMtu();
    longest = 1L << qpc.getInt(Qpc.LOG_MSG_MAX);
    outstanding.putAnswersInCqes(reports.takesAnswers() ? qpc.getInt(Qpc.CS_REQ) : 0);
    sender.configure();
    answers.configure(logMtu);
  }

  @Override
  public int work() {
    if (retries.isPaused()) {
      return 0;
    }
    announce();
    long bytes = chip.scheduler().bytesPerTurn();
    int messages = cutThrough(bytes);
    int most = adversary == null ? MESSAGES_PER_TURN : adversary.messages();
    while (messages < most && bytes > effort.spent() && life.isReadyToSend()) {
      if (sender.cursor() == outstanding.tail() && !(isFetched() && admit())
          || refused.is(sender.cursor())) {
        break;
      }
      long left = bytes - effort.spent();
      long moved = pace == null ? sender.send(left) : sendAtItsTime(pace, left);
      if (moved < 0) {
        break;
      }
      bytes -= moved;
      messages++;
    }
    if (life.isReadyToSend()) {
      boolean unused = operations.keyChange().complete();
    }
    int before = outstanding.head();
    retire();
    if (!window.isAllAcknowledged() && retries.await(chip.time().now())
        || pace != null && pace.deadline() != Long.MAX_VALUE) {
      life.schedule();
    }
    return messages + outstanding.head() - before;
  }

  private void announce() {
    if (pace != null) {
      pace.announce(sendQueue.producer(), sendQueue.isRung(), chip.time().now());
    }
  }

  private boolean isFetched() {
    // The queue may have enabled itself.
    announce();
    return pace == null || pace.isFetched(sendQueue.nextIndex(), chip.time().now());
  }

  /**
   * Like {@link RcSender#send}; {@link Progress#WAIT} until the time at which the request may
   * begin.
   */
  private long sendAtItsTime(Pace kept, long budget) {
    int entry = sender.cursor();
    int opcode = outstanding.wqe(entry).opcode();
    long now = chip.time().now();
    boolean begins = !sender.isUnderWay();
    if (begins && !kept.mayBegin(opcode, now)) {
      return Progress.WAIT;
    }
    long moved = sender.send(budget);
    if (begins && moved >= 0) {
      kept.begin(opcode, now);
    }
    return moved;
  }

  /**
   * Executes requests that can cut through, and returns their number.
   *
   * @param budget bytes after which to stop
   */
  private int cutThrough(long budget) {
    Route route = connection.route();
    if (cutThrough == null
        || !outstanding.isEmpty()
        || refused.isSet()
        || held
        || recorder.isTracing(number)
        || sendQueue.isSigned()
        || route == null
        || !route.isDirect()
        || !life.isReadyToSend()) {
      return 0;
    }
    RcResponder peer = awaitingPeer();
    if (peer == null) {
      return 0;
    }
    boolean hasRoom =
        cutThrough.run(
            peer.direct(),
            window.next(),
            logMtu,
            (int) Math.min(connection.burst(budget), longest),
            outstanding.inline().limit(),
            MESSAGES_PER_TURN,
            budget);
    if (cutThrough.messages() > 0) {
      int next = cutThrough.nextPsn();
      window.pass(next);
      peer.passed(cutThrough.messages(), next);
      recorder.record(HcaHappening.ACKNOWLEDGED, number, 0, Psn.add(next, -1));
      progress(next);
    }
    if (!hasRoom) {
      requests.failAtOverrun();
    }
    return cutThrough.messages();
  }

  /** The peer's responder, if it expects exactly the next PSN; otherwise null. */
  private @Nullable RcResponder awaitingPeer() {
    RcResponder peer = peers.responder();
    return peer != null && peer.awaits(connection, number, window.next()) ? peer : null;
  }

  // ---- from the ring to an entry

  /** Fetches and decodes the next WQE; false when there is none that can be sent. */
  private boolean admit() {
    boolean fetched = !held;
    if (refused.isSet() || fetched && !requests.fetch(decoder, longest, refused.fault())) {
      return false;
    }
    SendWqe wqe = outstanding.next();
    held = !refused.isSet() && operations.of(wqe.opcode()) == null && !aim(wqe);
    if (held) {
      return false;
    }
    int psns = refused.isSet() ? 0 : psns(wqe);
    held = !window.hasRoom(psns);
    if (held) {
      return false;
    }
    if (refused.isSet()) {
      refused.at(outstanding.tail());
    } else if (wqe.isAnswered()) {
      answers.noteAsked();
    }
    int first = window.next();
    window.give(psns);
    outstanding.push(first, window.next());
    return !refused.isSet();
  }

  /**
   * Points the connection at the peer of a request; false while requests to another one are
   * outstanding. Sets the fault when the request names no possible peer.
   */
  private boolean aim(SendWqe wqe) {
    PeerSelection.Aim aimed = peers.aim(wqe, outstanding.isEmpty(), refused.fault());
    if (aimed == PeerSelection.Aim.OTHER) {
      sender.configure();
    }
    return aimed != PeerSelection.Aim.WAITS;
  }

  private int psns(SendWqe wqe) {
    return operations.of(wqe.opcode()) != null
        ? 0
        : AtomicRequests.isAtomic(wqe.opcode()) ? 1 : Psn.packets(wqe.bytes(), logMtu);
  }

  /** Keeps the reason, to report it when the retries are used up. */
  @Override
  public void noteDrop(int stream, String why) {
    sender.noteDrop(why);
  }

  // ---- answers

  @Override
  public void receive(Packet response) {
    if (accept(response)) {
      retire();
      life.wake();
    }
  }

  /**
   * Processes a response without completing the acknowledged requests; false when it was dropped.
   */
  public boolean accept(Packet response) {
    // A PSN that was never sent, or is acknowledged already: a late or forged response has no
    // effect.
    boolean isPeers =
        life.isReadyToSend()
            && connection.isPeer(response)
            && response.session == connection.session();
    if (!isPeers || !window.isAwaiting(response.psn)) {
      if (isPeers) {
        answers.noteAstray(response);
      }
      recorder.record(HcaHappening.DROPPED, number, 0, response.psn);
      if (response.remote) {
        chip.counters().unwanted();
      }
      return false;
    }
    answers.receive(response);
    return true;
  }

  @Override
  public String peer() {
    return connection.toString();
  }

  /** Acknowledges everything before a PSN. */
  public void progress(int psn) {
    if (psn == window.unacked()) {
      return;
    }
    window.acknowledgeBefore(psn);
    answers.noteProgress();
    if (retries.progress(!window.isAllAcknowledged(), chip.time().now())) {
      life.schedule();
    }
  }

  /** Fails a request whose response can't be written; {@link #fault} says why. */
  void failAt(int entry, int progressed) {
    refused.at(entry);
    progress(progressed);
  }

  /** True while the requester waits for the receiver. */
  boolean isPaused() {
    return retries.isPaused();
  }

  /** The reason why a request can't be executed. */
  public Fault fault() {
    return refused.fault();
  }

  // ---- time and retries

  /**
   * Handles an RNR NAK: sends the request at a PSN again after a time.
   *
   * @return true when it was just explained that this has not helped
   */
  boolean pause(int psn, long nanos, String explanation) {
    retire();
    if (!life.isReadyToSend()) {
      // Retiring acknowledged requests has reached one that failed.
      return false;
    }
    if (!retries.takeRnr()) {
      failOldest(
          Syndrome.RNR_RETRY_EXC_ERR,
          VendorSyndrome.RNR_RETRIES_EXCEEDED,
          "the receiver had no receive WQE posted, %s that the request was sent (rnr_retry %d): %s"
              .formatted(
                  retries.rnrRetry() == 0
                      ? "the only time"
                      : "each of the %d times".formatted(retries.rnrRetry() + 1),
                  retries.rnrRetry(),
                  explanation));
      return true;
    }
    boolean stuck = retries.isStuck(chip.time().now());
    if (stuck) {
      chip.explainQueuePair(
          number,
          "QP 0x%x has been sending a request for a second to a receiver that has no receive WQE posted, and will do so forever (rnr_retry 7): %s"
              .formatted(number, explanation));
    }
    sender.rewind(psn);
    retries.pause(chip.time().now() + nanos);
    life.schedule();
    return stuck;
  }

  @Override
  public long deadline() {
    long timed = pace == null ? Long.MAX_VALUE : pace.deadline();
    return Math.min(timed, Math.min(retries.deadline(), operations.cross().deadline()));
  }

  @Override
  public String describe() {
    if (outstanding.isEmpty()) {
      return "";
    }
    if (operations.cross().isWaiting()) {
      return operations.cross().describe();
    }
    SendWqe oldest = outstanding.wqe(outstanding.head());
    String request =
        "WQE %d (%s, PSN 0x%06x)"
            .formatted(
                oldest.index(),
                WqeOpcode.name(oldest.opcode()),
                outstanding.firstPsn(outstanding.head()));
    if (!retries.isPaused()) {
      return "%s waits for its answer, with %s".formatted(request, retries);
    }
    long micros = (retries.deadline() - chip.time().now()) / NANOS_PER_MICRO;
    return "%s waits for the receiver, which had no receive WQE posted, and is sent again %s"
        .formatted(request, micros > 0 ? "in %,d µs".formatted(micros) : "now");
  }

  @Override
  public void onTimer() {
    long now = chip.time().now();
    if (pace != null) {
      pace.onTimer(now);
    }
    retries.resume(now);
    operations.cross().onTimer(now);
    long due = retries.deadline();
    if (retries.takeTimeout(now)) {
      if (isDeviceLate(due)) {
        boolean unused = retries.await(now);
      } else if (retries.takeSilence()) {
        explainSilence();
      } else {
        timeOut();
      }
    }
    life.wake();
  }

  /**
   * True when the response could not arrive by then because this device itself is late: it has not
   * sent the packet that requests a response, or has not delivered a packet that was due, or the
   * peer has not had the turn in which it responds. Then nothing is lost, however long the device's
   * thread was not scheduled or others had the turns.
   */
  private boolean isDeviceLate(long due) {
    Route route = connection.route();
    RcResponder peer = peers.responder();
    return !sender.isAsking()
        || route != null && route.isLate(number, due)
        || peer != null && peer.owes(connection, number);
  }

  /** Explains an endless wait: without an ACK timeout, a lost response is never detected. */
  private void explainSilence() {
    if (outstanding.isEmpty()) {
      return;
    }
    SendWqe oldest = outstanding.wqe(outstanding.head());
    chip.explainQueuePair(
        number,
        "QP 0x%x has waited a second for the answer to WQE %d (%s), and will wait forever, because its ACK timeout is 0 (ibv_qp_attr.timeout; 14 is usual): %s%s%s"
            .formatted(
                number,
                oldest.index(),
                WqeOpcode.name(oldest.opcode()),
                answers.lastAnswer(),
                drop(),
                farPeer()));
  }

  private String drop() {
    String drop = sender.lastDrop();
    return drop.isEmpty() ? "" : "; its last packet was dropped: " + drop;
  }

  private void timeOut() {
    chip.counters().count(QueueCounter.ACK_TIMEOUT);
    answers.noteProgress();
    retry(
        window.unacked(),
        "no response came within the ACK timeout of %,d µs".formatted(retries.timeout() / 1_000));
    retire();
  }

  /** Sends everything from a PSN on again, unless the retries are used up. */
  void retry(int psn, String why) {
    if (outstanding.isEmpty()) {
      return;
    }
    if (!retries.take()) {
      failOldest(
          Syndrome.TRANSPORT_RETRY_EXC_ERR,
          VendorSyndrome.RETRIES_EXCEEDED,
          "%s, after %s (retry_count)%s; %s%s"
              .formatted(
                  why,
                  Counted.of(retries.retryCount(), "retry", "retries"),
                  retries.meanwhile(),
                  answers.lastAnswer(),
                  drop()));
      return;
    }
    recorder.record(HcaHappening.RETRY, number, 0, psn);
    sender.rewind(psn);
  }

  // ---- completions

  /**
   * Completes acknowledged requests, oldest first; then fails the request that can't be executed,
   * if it is the next.
   */
  public void retire() {
    boolean more = true;
    while (more && !outstanding.isEmpty()) {
      more = retireOldest();
    }
  }

  /**
   * Completes the oldest request if it is the one at an index of the ring, and acknowledged; true
   * when it did.
   */
  public boolean retire(int index) {
    return !outstanding.isEmpty()
        && outstanding.wqe(outstanding.head()).index() == index
        && retireOldest();
  }

  private boolean retireOldest() {
    int entry = outstanding.head();
    if (refused.is(entry)) {
      if (life.state() != QpState.ERR) {
        requests.fail(refused.fault());
      }
      return false;
    }
    if (Psn.distance(outstanding.endPsn(entry), window.unacked()) < 0
        || sender.isToDo(entry)
        || pace != null && isToBegin(entry)) {
      return false;
    }
    boolean hasRoom = requests.complete();
    sender.noteRetired();
    if (!hasRoom) {
      requests.failAtOverrun();
    }
    return hasRoom;
  }

  /** True for a NOP whose time has not come: only its time shows that it is done. */
  private boolean isToBegin(int entry) {
    return entry == sender.cursor() && outstanding.wqe(entry).opcode() == WqeOpcode.NOP;
  }

  void failOldest(int syndrome, int vendorSyndrome, String explanation) {
    retire();
    if (outstanding.isEmpty() || life.state() == QpState.ERR) {
      // Retiring acknowledged requests has reached another one that failed.
      return;
    }
    refused.clear();
    requests.fail(syndrome, vendorSyndrome, explanation + farPeer());
  }

  private String farPeer() {
    String peer = connection.farPeer();
    return peer.isEmpty() ? "" : "; the peer is " + peer;
  }

  @Override
  public void flushOutstanding(String cause) {
    if (held) {
      // It waited for PSNs; its WQE was fetched.
      outstanding.push(window.next(), window.next());
    }
    requests.flushOutstanding(cause);
    reset();
  }

  @Override
  public int flushPosted(String cause, int most) {
    return requests.flushPosted(cause, most);
  }
}
