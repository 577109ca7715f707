package dev.bluebell.softnic.transport.reliable;

import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.command.QpTimers;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.text.Counted;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.diagnosis.QueueCounter;
import dev.bluebell.softnic.fabric.Route;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.SendWqe;
import dev.bluebell.softnic.queue.VendorSyndrome;
import dev.bluebell.softnic.transport.connection.Connection;
import dev.bluebell.softnic.transport.connection.End;
import dev.bluebell.softnic.transport.connection.Lifecycle;
import dev.bluebell.softnic.transport.operation.Outstanding;
import org.jspecify.annotations.Nullable;

/**
 * Recovers a requester from missing responses and from a receiver that is not ready: sends requests
 * again, at once or after a time, and fails the oldest when its retries are used up. Owned by the
 * thread that runs the engine.
 */
final class RcRecovery {
  private static final long NANOS_PER_MICRO = 1_000;

  private final Chip chip;
  private final Lifecycle life;
  private final Connection connection;
  private final PeerSelection peers;
  private final Outstanding outstanding;
  private final PsnWindow window;
  private final RcSender sender;
  private final RcRetirement retirement;
  private final LastAnswer lastAnswer;
  private final Retries retries = new Retries();
  private final int number;

  // Everything is being sent again, because a response showed that something is missing.
  private boolean askedAgain;

  RcRecovery(
      End end,
      PeerSelection peers,
      Outstanding outstanding,
      PsnWindow window,
      RcSender sender,
      RcRetirement retirement,
      LastAnswer lastAnswer) {
    chip = end.chip();
    life = end.life();
    connection = end.connection();
    number = end.self().number();
    this.peers = peers;
    this.outstanding = outstanding;
    this.window = window;
    this.sender = sender;
    this.retirement = retirement;
    this.lastAnswer = lastAnswer;
  }

  void reset() {
    retries.reset();
    askedAgain = false;
  }

  /** Applies the attributes that the transition to RTS sets. */
  void start(View qpc, int timeoutCode) {
    retries.start(qpc, timeoutCode);
  }

  // ---- responses

  /** Acknowledges everything before a PSN. */
  void progress(int psn) {
    if (psn == window.unacked()) {
      return;
    }
    window.acknowledgeBefore(psn);
    askedAgain = false;
    if (retries.progress(!window.isAllAcknowledged(), chip.time().now())) {
      life.schedule();
    }
  }

  /**
   * Records and counts a response which shows that something is missing; false when an earlier
   * response showed the same, so that everything is being sent again already.
   */
  boolean noteMissing(QueueCounter kind) {
    if (askedAgain) {
      return false;
    }
    askedAgain = true;
    chip.counters().count(kind);
    return true;
  }

  /** True while the requester waits for the receiver. */
  boolean isPaused() {
    return retries.isPaused();
  }

  /**
   * Handles an RNR NAK: sends the request at a PSN again after a time.
   *
   * @param timer the code of that time
   * @return true when it was just explained that this has not helped
   */
  boolean pause(int psn, int timer, String explanation) {
    int naks = retries.noteRnr();
    if (Integer.bitCount(naks) == 1) {
      int logarithm = Integer.numberOfTrailingZeros(naks);
      chip.recorder().record(HcaHappening.RECEIVER_NOT_READY, number, logarithm, timer);
    }
    retirement.retire();
    if (!life.isReadyToSend()) {
      // Retiring acknowledged requests has reached one that failed.
      return false;
    }
    if (!retries.takeRnr()) {
      retirement.failOldest(
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
      SendWqe oldest = outstanding.wqe(outstanding.head());
      chip.explainQueuePair(
          number,
          "QP 0x%x has been sending WQE %d (%s) for a second to a receiver that has no receive WQE posted, and will do so until one is posted (rnr_retry 7): %s%s"
              .formatted(
                  number,
                  oldest.index(),
                  WqeOpcode.name(oldest.opcode()),
                  explanation,
                  connection.andFarPeer()));
    }
    sender.rewind(psn);
    retries.pause(chip.time().now() + QpTimers.rnrNanos(timer));
    life.schedule();
    return stuck;
  }

  /** Sends everything from a PSN on again, unless the retries are used up. */
  void retry(int psn, String why) {
    if (outstanding.isEmpty()) {
      return;
    }
    if (!retries.take()) {
      retirement.failOldest(
          Syndrome.TRANSPORT_RETRY_EXC_ERR,
          VendorSyndrome.RETRIES_EXCEEDED,
          "%s, after %s (retry_count)%s; %s%s"
              .formatted(
                  why,
                  Counted.of(retries.retryCount(), "retry", "retries"),
                  retries.meanwhile(),
                  lastAnswer.describe(window.unacked()),
                  drop()));
      return;
    }
    chip.recorder().record(HcaHappening.RETRY, number, 0, psn);
    sender.rewind(psn);
  }

  private String drop() {
    String drop = sender.lastDrop();
    return drop.isEmpty() ? "" : "; its last packet was dropped: " + drop;
  }

  // ---- time

  /**
   * Starts the ACK timeout if something is to be acknowledged; true when there is a new deadline.
   */
  boolean await() {
    return !window.isAllAcknowledged() && retries.await(chip.time().now());
  }

  /** Earliest time at which a timer expires; {@link Long#MAX_VALUE} for never. */
  long deadline() {
    return retries.deadline();
  }

  /** Ends a pause, and handles the ACK timeout. */
  void onTimer(long now) {
    retries.resume(now);
    long due = retries.deadline();
    if (retries.takeTimeout(now)) {
      Route route = connection.route();
      if (isDeviceLate(route, due)) {
        boolean unused = retries.await(now);
      } else if (route != null && route.isUnread(retries.due())) {
        retries.putOff(now);
      } else if (retries.takeSilence()) {
        explainSilence();
      } else {
        timeOut();
      }
    }
  }

  /**
   * True when the response could not arrive by then because this device itself is late: it has not
   * sent the packet that requests a response, or has not delivered a packet that was due, or the
   * peer has not had the turn in which it responds. Then nothing is lost, however long the device's
   * thread was not scheduled or others had the turns.
   */
  private boolean isDeviceLate(@Nullable Route route, long due) {
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
                lastAnswer.describe(window.unacked()),
                drop(),
                connection.andFarPeer()));
  }

  private void timeOut() {
    chip.counters().count(QueueCounter.ACK_TIMEOUT);
    askedAgain = false;
    retry(
        window.unacked(),
        "no response came within the ACK timeout of %,d µs".formatted(retries.timeout() / 1_000));
    retirement.retire();
  }

  /**
   * Describes the oldest request, and what it waits for, as part of a sentence. There must be one.
   */
  String describe() {
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
}
