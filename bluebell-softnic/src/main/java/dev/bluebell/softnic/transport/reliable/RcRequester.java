package dev.bluebell.softnic.transport.reliable;

import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.structure.View;
import dev.bluebell.roce.packet.Psn;
import dev.bluebell.softnic.diagnosis.FlightRecorder;
import dev.bluebell.softnic.engine.Adversary;
import dev.bluebell.softnic.engine.Effort;
import dev.bluebell.softnic.fabric.Route;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.SendQueue;
import dev.bluebell.softnic.timing.Pace;
import dev.bluebell.softnic.transport.connection.Connection;
import dev.bluebell.softnic.transport.connection.End;
import dev.bluebell.softnic.transport.connection.Lifecycle;
import dev.bluebell.softnic.transport.connection.QpIdentity;
import dev.bluebell.softnic.transport.connection.RequesterHalf;
import dev.bluebell.softnic.transport.local.CutThrough;
import dev.bluebell.softnic.transport.operation.FetchWatch;
import dev.bluebell.softnic.transport.operation.LocalOperations;
import dev.bluebell.softnic.transport.operation.Outstanding;
import dev.bluebell.softnic.transport.operation.Progress;
import dev.bluebell.softnic.transport.operation.RefusedRequest;
import dev.bluebell.softnic.transport.operation.RequestReports;
import dev.bluebell.softnic.transport.operation.SendRequests;
import dev.bluebell.softnic.transport.operation.SendSide;
import org.jspecify.annotations.Nullable;

/**
 * The requester of a reliable connection, plain or of XRC. In its turns, it fetches WQEs from the
 * ring ({@link RcAdmission}), sends them ({@link RcSender}) and completes those that were
 * acknowledged ({@link RcRetirement}). It processes responses ({@link RcAnswers}), and sends again
 * what was lost ({@link RcRecovery}). Pure logic on the device's cached clock. Owned by the thread
 * that runs the engine.
 */
public final class RcRequester implements RequesterHalf {
  /** Most messages of one turn, so that one queue cannot starve the others. */
  private static final int MESSAGES_PER_TURN = 64;

  private final Chip chip;
  private final Lifecycle life;
  private final Connection connection;
  private final PeerSelection peers;
  private final Outstanding outstanding = new Outstanding();
  private final PsnWindow window = new PsnWindow();
  private final LastAnswer lastAnswer = new LastAnswer();
  private final RefusedRequest refused;
  private final LocalOperations operations;
  private final Effort effort;
  private final RcAdmission admission;
  private final RcSender sender;
  private final RcAnswers answers;
  private final RcRetirement retirement;
  private final RcRecovery recovery;
  private final SendRequests requests;
  private final RequestReports reports;
  private final SendQueue sendQueue;

  private final @Nullable Adversary adversary;

  // Null when all requests are sent as packets.
  private final @Nullable CutThrough cutThrough;

  // Null without virtual time.
  private final @Nullable Pace pace;

  private final FlightRecorder recorder;
  private final int number;

  private int logMtu;

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
    retirement =
        new RcRetirement(life, outstanding, window, refused, requests, sender, connection, pace);
    recovery = new RcRecovery(end, peers, outstanding, window, sender, retirement, lastAnswer);
    answers =
        new RcAnswers(
            end,
            reports.pd(),
            outstanding,
            window,
            sender,
            refused,
            retirement,
            recovery,
            lastAnswer);
    admission =
        new RcAdmission(
            connection, requests, outstanding, window, operations, peers, sender, answers);
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
    lastAnswer.reset();
    recovery.reset();
    admission.reset();
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
    recovery.start(qpc, timeoutCode);
    operations.start(qpc);
    sender.start(qpc);
  }

  @Override
  public void configure(View qpc) {
    logMtu = connection.logMtu();
    outstanding.putAnswersInCqes(reports.takesAnswers() ? qpc.getInt(Qpc.CS_REQ) : 0);
    sender.configure();
    answers.configure(logMtu);
    admission.configure(logMtu, 1L << qpc.getInt(Qpc.LOG_MSG_MAX));
  }

  @Override
  public int work() {
    if (recovery.isPaused()) {
      return 0;
    }
    announce();
    long bytes = chip.scheduler().bytesPerTurn();
    int messages = cutThrough(bytes);
    int most = adversary == null ? MESSAGES_PER_TURN : adversary.messages();
    while (messages < most && bytes > effort.spent() && life.isReadyToSend()) {
      if (sender.cursor() == outstanding.tail() && !(isFetched() && admission.admit())
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
    retirement.retire();
    if (recovery.await() || pace != null && pace.deadline() != Long.MAX_VALUE) {
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
        || admission.isHeld()
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
            (int) Math.min(connection.burst(budget), admission.longest()),
            outstanding.inline().limit(),
            MESSAGES_PER_TURN,
            budget);
    if (cutThrough.messages() > 0) {
      int next = cutThrough.nextPsn();
      window.pass(next);
      peer.passed(cutThrough.messages(), next);
      recorder.record(HcaHappening.ACKNOWLEDGED, number, 0, Psn.add(next, -1));
      recovery.progress(next);
    }
    if (!hasRoom) {
      requests.failAtOverrun();
    }
    if (cutThrough.isCutShort()) {
      life.examine();
      peer.examine();
    }
    return cutThrough.messages();
  }

  /** The peer's responder, if it expects exactly the next PSN; otherwise null. */
  private @Nullable RcResponder awaitingPeer() {
    RcResponder peer = peers.responder();
    return peer != null && peer.awaits(connection, number, window.next()) ? peer : null;
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
      retirement.retire();
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
        lastAnswer.noteAstray(response);
      } else if (life.isReadyToSend() && window.isAwaiting(response.psn)) {
        lastAnswer.noteDropped(connection, response);
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

  // ---- timers

  @Override
  public long deadline() {
    long timed = pace == null ? Long.MAX_VALUE : pace.deadline();
    return Math.min(timed, Math.min(recovery.deadline(), operations.cross().deadline()));
  }

  @Override
  public String describe() {
    if (outstanding.isEmpty()) {
      return "";
    }
    return operations.cross().isWaiting() ? operations.cross().describe() : recovery.describe();
  }

  @Override
  public void onTimer() {
    long now = chip.time().now();
    if (pace != null) {
      pace.onTimer(now);
    }
    operations.cross().onTimer(now);
    recovery.onTimer(now);
    life.wake();
  }

  // ---- completions

  /**
   * Completes the oldest request if it is the one at an index of the ring, and acknowledged; true
   * when it did.
   */
  public boolean retire(int index) {
    return retirement.retire(index);
  }

  @Override
  public void flushOutstanding(String cause) {
    admission.admitHeld();
    requests.flushOutstanding(cause);
    reset();
  }

  @Override
  public int flushPosted(String cause, int most) {
    return requests.flushPosted(cause, most);
  }
}
