package dev.bluebell.softnic.transport;

import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.command.QpCommands.Ads;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.text.Counted;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.softnic.doorbell.Ringable;
import dev.bluebell.softnic.engine.Adversary;
import dev.bluebell.softnic.engine.Lookout;
import dev.bluebell.softnic.engine.Tempo;
import dev.bluebell.softnic.engine.Work;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.queue.Manageable;
import dev.bluebell.softnic.queue.ReceiveQueue;
import dev.bluebell.softnic.queue.ReceiveWqe;
import dev.bluebell.softnic.queue.SendQueue;
import dev.bluebell.softnic.queue.VendorSyndrome;
import dev.bluebell.softnic.transport.connection.Congestion;
import dev.bluebell.softnic.transport.connection.Connection;
import dev.bluebell.softnic.transport.connection.Drops;
import dev.bluebell.softnic.transport.connection.End;
import dev.bluebell.softnic.transport.connection.Lifecycle;
import dev.bluebell.softnic.transport.connection.PayloadOrder;
import dev.bluebell.softnic.transport.connection.QpIdentity;
import dev.bluebell.softnic.transport.connection.ReceiveSource;
import dev.bluebell.softnic.transport.connection.RequesterHalf;
import dev.bluebell.softnic.transport.connection.ResponderHalf;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair: its context, its state machine and its queues, for commands, doorbells and the
 * engine. Its {@link Connection} and its two halves send and receive. Owned by the thread that runs
 * the engine.
 */
public final class QueuePair extends Work implements Ringable, Manageable {
  /** Most requests, and most receive WQEs, that are flushed in one turn. */
  private static final int FLUSHED_PER_TURN = 256;

  /** Requests without a completion that {@link #describe} counts. */
  private static final int MOST_UNSIGNALLED = 64;

  /** Most receive WQEs that are flushed outside of a turn. */
  private static final int LATE_RECEIVES = 16;

  private final Chip chip;
  private final QpIdentity self;
  private final byte[] context;
  private final int uarPage;
  private final SendQueue sendQueue;
  private final ReceiveSource source;
  private final CompletionQueue sendCompletions;
  private final Lifecycle life;
  private final Connection connection;
  private final Drops drops;
  private final Congestion congestion;
  private final PayloadOrder order;
  private final RequesterHalf requester;
  private final ResponderHalf responder;
  private final ReceiveWqe flushed = new ReceiveWqe();

  private final Lookout lateReceives;

  private final @Nullable Adversary adversary;
  private final Tempo requesterTempo;
  private final Tempo responderTempo;

  /**
   * @param number the QPN
   * @param service RC, UC, UD, XRC or DCI
   * @param context the QP context, kept for QUERY_QP and for the attributes that transitions change
   */
  public QueuePair(
      Chip chip, Network network, int number, ServiceType service, byte[] context, Queues queues) {
    this.chip = chip;
    belongTo(chip.scheduler().client());
    adversary = chip.adversary();
    requesterTempo = new Tempo(adversary);
    responderTempo = new Tempo(adversary);
    this.context = context;
    sendQueue = queues.sends();
    sendCompletions = queues.sendCompletions();
    source = queues.receives();
    lateReceives =
        new Lookout(network.lateReceives(), chip.scheduler().client()) {
          @Override
          protected int look() {
            return flushLateReceives();
          }
        };
    View qpc = View.over(context);
    uarPage = qpc.getInt(Qpc.UAR_PAGE);
    self = new QpIdentity(number, service, qpc.getInt(Qpc.PD), qpc.getInt(Qpc.USER_INDEX));
    life = new Lifecycle(chip, self, this);
    connection = new Connection(self, network.fabric(), this, chip.counters());
    drops = new Drops(chip, self, Drops.ALL_EXPLAINED);
    order = new PayloadOrder(chip, number);
    End end = new End(chip, self, life, connection);
    congestion = new Congestion(end);
    Halves halves = new Halves(end, network, queues, qpc, this, drops);
    requester = halves.requester();
    responder = halves.responder();
  }

  /** Acknowledges executed requests to the peer before the queue pair is destroyed. */
  public void settle() {
    responder.settle();
  }

  /** Drops its work and publishes its completions; it must not get turns afterwards. */
  public void release() {
    life.enter(QpState.RST);
    order.show();
    requester.reset();
    lateReceives.unwatch();
    settleCompletions();
  }

  /**
   * When software resets a queue pair, it drops its completions, so all must be in the CQs by then.
   */
  private void settleCompletions() {
    sendCompletions.settle();
    source.completions().settle();
  }

  // ---- commands and doorbells

  @Override
  public int uarPage() {
    return uarPage;
  }

  @Override
  public int number() {
    return self.number();
  }

  /** See {@link QpState}. */
  public int state() {
    return life.state();
  }

  /** The context, not copied: transitions write the attributes that they change into it. */
  public byte[] context() {
    return context;
  }

  @Override
  public int pd() {
    return self.pd();
  }

  // In RST, all indices are 0.

  @Override
  public boolean enableSends(int index) {
    if (life.state() != QpState.RST && sendQueue.isManaged() && sendQueue.enable(index)) {
      wake();
    }
    return sendQueue.isManaged();
  }

  @Override
  public boolean enableReceives(int counter) {
    ReceiveQueue queue = source.queue();
    boolean managed = !source.isShared() && queue.isManaged();
    if (managed && life.state() != QpState.RST) {
      queue.enable(counter);
    }
    return managed;
  }

  /** RC, UC, UD, XRC or DCI. */
  public ServiceType service() {
    return self.service();
  }

  /** True when it does not receive its own datagrams to a group that it belongs to. */
  boolean blocksItsMulticast() {
    return View.over(context).isSet(Qpc.BLOCK_LB_MC);
  }

  public RequesterHalf requester() {
    return requester;
  }

  public ResponderHalf responder() {
    return responder;
  }

  /** Its exchange of congestion notifications with the peer. */
  Congestion congestion() {
    return congestion;
  }

  @Override
  public SendQueue sendQueue() {
    return sendQueue;
  }

  @Override
  public void wake() {
    if (adversary != null && life.isReadyToSend()) {
      sendQueue.prefetch(adversary.ahead());
    }
    life.wake();
  }

  @Override
  public String whyDisabled() {
    int state = life.state();
    return state == QpState.RST || state == QpState.INIT || state == QpState.RTR
        ? "QP 0x%x is in %s, where its send queue is disabled"
            .formatted(self.number(), QpState.name(state))
        : "";
  }

  // ---- the state machine

  private boolean hasReceives() {
    return !source.isShared() && self.service() != ServiceType.DCI;
  }

  @Override
  public int receives() {
    return hasReceives() ? source.queue().available() : 0;
  }

  private String describe() {
    return "cq=0x%x recv_cq=0x%x%s"
        .formatted(
            sendCompletions.number(),
            source.completions().number(),
            sendQueue.isManaged() ? " managed" : "");
  }

  /** Enters a state, with the attributes that the context now holds. */
  public void enter(int newState) {
    View qpc = View.over(context);
    if (newState == QpState.RST) {
      order.show();
      settleCompletions();
      sendQueue.reset();
      if (!source.isShared()) {
        source.queue().reset();
      }
      requester.reset();
      requester.allowCopies(false);
      responder.reset();
    }
    int oldState = life.state();
    if (newState == QpState.INIT && oldState == QpState.RST) {
      // libmlx5 clears the doorbell record after the reset, so the device may have read the old
      // value in between. UCX does not clear it.
      sendQueue.begin();
    }
    if (newState == QpState.RTS && oldState == QpState.SQER) {
      // Requests posted behind the failed one are flushed, even if the queue had no turn since.
      sendQueue.markForFlush();
      flushSends();
    }
    connection.configure(qpc);
    if (newState == QpState.RTR && oldState == QpState.INIT) {
      connection.record(chip.recorder(), Objects.requireNonNull(owner()), describe());
      responder.start(qpc);
    }
    if (newState == QpState.RTS && oldState == QpState.RTR) {
      requester.start(qpc, qpc.at(Qpc.PRIMARY_ADDRESS_PATH).getInt(Ads.ACK_TIMEOUT));
    }
    requester.configure(qpc);
    responder.configure(qpc);
    order.configure(
        qpc.isSet(Qpc.DP_ORDERING_FORCE),
        qpc.isSet(Qpc.DP_ORDERING_0),
        qpc.isSet(Qpc.DP_ORDERING_1));
    if (newState == QpState.ERR) {
      life.fail(HcaDiagnosis.MOVED_BY_COMMAND);
    } else {
      life.enter(newState);
    }
    life.wake();
  }

  /**
   * Resets a failed stream of an initiator.
   *
   * @param stream its id, 16 bits
   * @return why this is impossible; empty when it was done
   */
  public String resetStream(int stream) {
    return requester.resetStream(self, stream);
  }

  // ---- turns

  /** One turn: responds to requests, then sends some. */
  @Override
  protected int turn() {
    if (life.isAbandoned()) {
      return 0;
    }
    return adversary == null ? work() : workAsDrawn(adversary);
  }

  /** One turn, in which the adversary may let each half rest. */
  private int workAsDrawn(Adversary drawn) {
    boolean responderRests = responderTempo.rests();
    if (requesterTempo.rests() && life.isReadyToSend()) {
      return 1 + (responderRests ? 0 : responder.respond());
    }
    if (life.isReadyToSend()) {
      sendQueue.prefetch(drawn.ahead());
    }
    return responderRests && life.isReadyToSend() ? 1 + send() : work();
  }

  private int work() {
    int done = responder.respond();
    return switch (life.state()) {
      case QpState.RTS -> done + send();
      case QpState.ERR -> done + flush();
      case QpState.SQER -> done + flushSends();
      default -> done;
    };
  }

  private int send() {
    return sendQueue.isMarked() ? flushMarked() : requester.work();
  }

  @Override
  protected long deadline() {
    long received = life.takesRequests() ? responder.deadline() : Long.MAX_VALUE;
    return life.isReadyToSend() ? Math.min(received, requester.deadline()) : received;
  }

  @Override
  protected void onTimer() {
    if (life.takesRequests()) {
      responder.onTimer();
    }
    if (life.isReadyToSend()) {
      requester.onTimer();
    }
  }

  @Override
  protected void touch() {
    if (!life.isAbandoned()) {
      sendQueue.touch();
      source.queue().touch();
      sendCompletions.touch();
      source.completions().touch();
    }
  }

  @Override
  protected void abandon(String why) {
    chip.explainQueuePair(self.number(), why);
    life.abandon();
  }

  /** Stops all work without reporting it, because the device is dead. */
  public void die() {
    life.die();
  }

  // ---- flushing

  private int flushSends() {
    int done = 0;
    if (life.takeFlush()) {
      done = 1;
      requester.flushOutstanding(life.cause());
    }
    return done + requester.flushPosted(life.cause(), FLUSHED_PER_TURN);
  }

  /** Flushes what was posted before the send queue worked again, or some of it. */
  private int flushMarked() {
    int done = 0;
    while (done < FLUSHED_PER_TURN && sendQueue.isMarked() && life.isReadyToSend()) {
      done += requester.flushPosted(life.cause(), 1);
    }
    return done;
  }

  private int flush() {
    int done = 0;
    if (life.takeFlush()) {
      done = 1;
      order.show();
      requester.flushOutstanding(life.cause());
      responder.flushHeld(life.cause());
      if (source.isShared()) {
        life.raise(HcaEvent.SRQ_LAST_WQE);
      } else {
        lateReceives.watch();
      }
    }
    done += requester.flushPosted(life.cause(), FLUSHED_PER_TURN);
    return done + flushReceives(FLUSHED_PER_TURN);
  }

  /**
   * Flushes receive WQEs that were posted late, or some of them if there are many: the turns of the
   * queue pair, which count for its client, flush the others.
   *
   * @return how many
   */
  private int flushLateReceives() {
    if (life.state() != QpState.ERR || life.isAbandoned()) {
      lateReceives.unwatch();
      return 0;
    }
    // This queue pair did not cause the fault of another.
    Memory.dropFault();
    int done;
    try {
      source.queue().look();
      done = flushReceives(LATE_RECEIVES);
      Memory.raiseFault();
    } catch (InternalError gone) {
      // A client can truncate its memory. This ends the queue pair alone.
      abandon(
          "memory that QP 0x%x uses is gone, most likely because a mapped file was truncated; its receive requests are no longer flushed"
              .formatted(self.number()));
      return 0;
    }
    if (done == LATE_RECEIVES) {
      life.wake();
    }
    return done;
  }

  private int flushReceives(int most) {
    ReceiveQueue queue = source.queue();
    if (source.isShared() || queue.isOverrun()) {
      return 0;
    }
    int done = 0;
    while (done < most && queue.available() > 0 && !queue.isOverrun()) {
      queue.take(flushed);
      done++;
      if (!source.fail(
          self.number(),
          flushed.index(),
          Syndrome.WR_FLUSH_ERR,
          VendorSyndrome.FLUSHED,
          life.cause())) {
        break;
      }
    }
    return done;
  }

  /** Only its name: this is also asked when memory that the rest would be read from is gone. */
  @Override
  public String toString() {
    return self.name();
  }

  /** True when a doorbell is for the last request that the doorbell record counts. */
  public boolean isRungBy(long doorbell) {
    return ControlSegment.qpn(doorbell) == self.number() && sendQueue.isLast(doorbell);
  }

  /**
   * One line about it.
   *
   * @param ringing whether its UAR page holds a doorbell of it that the device has not taken yet
   */
  public String describe(boolean ringing) {
    boolean isRecorded = !sendQueue.isNone() && !sendQueue.isManaged() && !life.isAbandoned();
    int silent = isRecorded ? sendQueue.unsignalled(MOST_UNSIGNALLED) : 0;
    String unsignalled =
        switch (silent) {
          case 0 -> "";
          case 1 -> ", the last executed request is not signalled, so no completion reports it";
          default ->
              ", the last %d executed requests%s are not signalled, so no completion reports them"
                  .formatted(silent, silent == MOST_UNSIGNALLED ? " (or more)" : "");
        };
    String named = requester.peer();
    String peer = named.isEmpty() ? "" : named + ", ";
    String dropped =
        drops.count() == 0 ? "" : ", %s dropped".formatted(Counted.of(drops.count(), "message"));
    String swept =
        sendQueue.sweeps() == 0
            ? ""
            : ", %s started without its own doorbell"
                .formatted(Counted.of(sendQueue.sweeps(), "time"));
    String reversed = isRecorded ? sendQueue.reversedRecord() : "";
    String unrung =
        !isRecorded || !sendQueue.isUnrung()
            ? ""
            : ", send counter %d in the doorbell record, %s"
                .formatted(
                    sendQueue.recorded(),
                    ringing
                        ? "whose doorbell rang, but the device has not run since (with engine=poll"
                            + " it runs while the application polls or waits)"
                        : "for which no doorbell has come (it was not rung, or another store to its"
                            + " register replaced it)");
    String wrong =
        reversed.isEmpty() || sendQueue.isUnrung()
            ? ""
            : ", send counter in the doorbell record: " + reversed;
    String receives =
        hasReceives() ? ", %s posted".formatted(Counted.of(receives(), "receive WQE")) : "";
    String waits = requester.describe();
    return "QP 0x%x: %s, %s, %ssend index %d, producer index %d%s%s%s%s%s%s%s"
        .formatted(
            self.number(),
            self.service(),
            QpState.name(life.state()),
            peer,
            sendQueue.nextIndex(),
            sendQueue.producer(),
            unsignalled,
            unrung,
            wrong,
            receives,
            dropped,
            swept,
            waits.isEmpty() ? "" : ", " + waits);
  }
}
