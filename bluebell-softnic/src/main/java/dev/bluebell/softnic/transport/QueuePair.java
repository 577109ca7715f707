package dev.bluebell.softnic.transport;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.command.Ads;
import dev.bluebell.hca.command.Qpc;
import dev.bluebell.hca.command.View;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.text.WqeText;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.softnic.diagnosis.FlightRecorder;
import dev.bluebell.softnic.diagnosis.Happening;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.queue.ReceiveQueue;
import dev.bluebell.softnic.queue.ReceiveWqe;
import dev.bluebell.softnic.queue.SendQueue;
import dev.bluebell.softnic.queue.VendorSyndrome;

/**
 * A queue pair: its context and state, its queues, and the two halves of its transport. Owned by
 * whoever runs the engine.
 */
public final class QueuePair {
  private final Chip chip;
  private final Link link;
  private final Scheduler scheduler;
  private final int number;
  private final byte[] context;
  private final SendQueue sendQueue;
  private final ReceiveQueue receiveQueue;
  private final boolean receivesShared;
  private final CompletionQueue sendCompletions;
  private final CompletionQueue receiveCompletions;
  private final int pd;
  private final int userIndex;
  private final int uarPage;
  private final ServiceType service;
  private final Drops drops;
  private final SendHalf sends;
  private final ReceiveHalf receives;
  private final ReceiveWqe flushed = new ReceiveWqe();

  private int state = QpState.RST;
  private boolean flushing;
  private boolean abandoned;
  private boolean active;
  private boolean watched;
  private String cause = "";

  private Gid localGid = Gid.ZERO;
  private Gid remoteGid = Gid.ZERO;
  private boolean reachable;
  private int remoteQpn;
  private int logMtu = 8;
  private int qkey;

  /**
   * @param service RC, UC or UD
   * @param context the QP context, kept for QUERY_QP and for the attributes that transitions change
   * @param receivesShared true when {@code receiveQueue} is a pool that others use too
   */
  public QueuePair(
      Chip chip,
      Link link,
      Scheduler scheduler,
      int number,
      ServiceType service,
      byte[] context,
      SendQueue sendQueue,
      ReceiveQueue receiveQueue,
      boolean receivesShared,
      CompletionQueue sendCompletions,
      CompletionQueue receiveCompletions) {
    this.chip = chip;
    this.link = link;
    this.scheduler = scheduler;
    this.number = number;
    this.service = service;
    this.context = context;
    this.sendQueue = sendQueue;
    this.receiveQueue = receiveQueue;
    this.receivesShared = receivesShared;
    this.sendCompletions = sendCompletions;
    this.receiveCompletions = receiveCompletions;
    View qpc = View.over(context);
    pd = qpc.getInt(Qpc.PD);
    userIndex = qpc.getInt(Qpc.USER_INDEX);
    uarPage = qpc.getInt(Qpc.UAR_PAGE);
    drops = new Drops(chip, number);
    sends = service == ServiceType.RC ? new Requester(this) : new UnreliableRequester(this);
    receives =
        switch (service) {
          case UC -> new ConnectedReceiver(this);
          case UD -> new DatagramReceiver(this);
          default -> new Responder(this);
        };
    sendCompletions.use(1);
    receiveCompletions.use(1);
  }

  /** Takes the queue pair off its completion queues; it must not be given turns afterwards. */
  public void release() {
    state = QpState.RST;
    sendCompletions.use(-1);
    receiveCompletions.use(-1);
  }

  /** Number of the UAR page that its doorbells ring on. */
  public int uarPage() {
    return uarPage;
  }

  public int number() {
    return number;
  }

  public int state() {
    return state;
  }

  /** The context, not copied: transitions write the attributes that they change into it. */
  public byte[] context() {
    return context;
  }

  /** RC, UC or UD. */
  public ServiceType service() {
    return service;
  }

  public SendHalf sends() {
    return sends;
  }

  public ReceiveHalf receives() {
    return receives;
  }

  public SendQueue sendQueue() {
    return sendQueue;
  }

  /** True while the engine has the queue pair on its list. */
  public boolean isActive() {
    return active;
  }

  public void setActive(boolean isActive) {
    active = isActive;
  }

  /**
   * Enters a state, with the attributes that the context now holds.
   *
   * @param sourceGid the GID that {@code src_addr_index} names
   */
  public void enter(int newState, Gid sourceGid) {
    View qpc = View.over(context);
    if (newState == QpState.RST) {
      sendQueue.reset();
      if (!receivesShared) {
        receiveQueue.reset();
      }
      sends.reset();
      receives.reset();
      flushing = false;
      abandoned = false;
    }
    if (newState == QpState.RTS && state == QpState.SQER) {
      // What was posted behind the failed request is flushed, even when this comes first.
      sendQueue.look();
      flushSends();
    }
    View path = qpc.at(Qpc.PRIMARY_ADDRESS_PATH);
    localGid = sourceGid;
    remoteGid = Gid.of(path.getBytes(Ads.RGID_RIP));
    reachable = link.reaches(remoteGid);
    remoteQpn = qpc.getInt(Qpc.REMOTE_QPN);
    qkey = qpc.getInt(Qpc.Q_KEY);
    logMtu = 7 + Math.clamp(qpc.getInt(Qpc.MTU), 1, 5);
    if (newState == QpState.RTR && state == QpState.INIT) {
      receives.start(qpc);
    }
    if (newState == QpState.RTS && state == QpState.RTR) {
      sends.start(qpc, path.getInt(Ads.ACK_TIMEOUT));
    }
    receives.configure(qpc);
    if (newState == QpState.ERR) {
      fail("it was moved to ERR by command");
    } else {
      setState(newState);
    }
    scheduler.activate(this);
  }

  private void setState(int newState) {
    if (state != newState) {
      state = newState;
      chip.recorder().record(Happening.STATE, number, 0, newState);
    }
  }

  /** Records that the WQE at an index was fetched; all of it when that is traced. */
  void noteFetched(int index, int opcode, int ds) {
    FlightRecorder recorder = chip.recorder();
    if (recorder.isTracing()) {
      String text = WqeText.disassemble(sendQueue.copy(index, ds), service);
      recorder.record(Happening.FETCHED, number, index, opcode, text);
    } else {
      recorder.record(Happening.FETCHED, number, index, opcode);
    }
  }

  /**
   * Moves the queue pair to ERR; its work requests are flushed when it gets its turn.
   *
   * @param why what happened, for the explanations of the flushed requests
   */
  void fail(String why) {
    if (state == QpState.ERR) {
      return;
    }
    flush(QpState.ERR, why);
  }

  /**
   * Ends the send queue after a request failed: a reliable connection with it, whose peer is lost;
   * otherwise receiving goes on.
   */
  void failSends(String why) {
    if (service == ServiceType.RC) {
      fail(why);
    } else if (state == QpState.RTS) {
      flush(QpState.SQER, why);
    }
  }

  private void flush(int newState, String why) {
    setState(newState);
    cause =
        "flushed, because QP 0x%x is in %s: %s"
            .formatted(number, Happening.stateName(newState), why);
    flushing = true;
    scheduler.activate(this);
  }

  /**
   * As {@link #fail}, when the completion that should tell of it can't be written: an event tells.
   */
  void failUnreported(String why) {
    fail(why);
    raise(HcaEvent.WQ_CATASTROPHIC);
  }

  /** Leaves the queue pair in ERR without touching its queues again: the device failed at it. */
  public void abandon() {
    setState(QpState.ERR);
    abandoned = true;
    raise(HcaEvent.WQ_CATASTROPHIC);
  }

  /**
   * One turn: answers requests, then sends some.
   *
   * @return how much was done; 0 when the queue pair waits for something
   */
  public int turn() {
    if (abandoned) {
      return 0;
    }
    int done = receives.respond();
    if (state == QpState.RTS) {
      sendQueue.look();
      done += sends.work();
    } else if (state == QpState.ERR) {
      sendQueue.look();
      done += flush();
    } else if (state == QpState.SQER) {
      sendQueue.look();
      done += flushSends();
    }
    return done;
  }

  private int flushSends() {
    int done = 0;
    if (flushing) {
      flushing = false;
      done = 1;
      sends.flushOutstanding(cause);
    }
    return done + sends.flushPosted(cause);
  }

  private int flush() {
    int done = 0;
    if (flushing) {
      flushing = false;
      done = 1;
      sends.flushOutstanding(cause);
      receives.flushHeld(cause);
      if (receivesShared) {
        raise(HcaEvent.SRQ_LAST_WQE);
      } else if (!watched) {
        watched = true;
        scheduler.watchReceives(this);
      }
    }
    return done + sends.flushPosted(cause) + flushReceives();
  }

  /** False when receive WQEs that are posted late need not be flushed any more. */
  public boolean isFlushingReceives() {
    watched = state == QpState.ERR && !abandoned;
    return watched;
  }

  /** Flushes receive WQEs that were posted meanwhile; how many. */
  public int flushLateReceives() {
    receiveQueue.look();
    return flushReceives();
  }

  private int flushReceives() {
    if (receivesShared || receiveQueue.isOverrun()) {
      return 0;
    }
    int done = 0;
    while (receiveQueue.available() > 0 && !receiveQueue.isOverrun()) {
      receiveQueue.take(flushed);
      done++;
      if (!receiveCompletions.completeError(
          CqeOpcode.RESP_ERR,
          number,
          userIndex,
          0,
          flushed.index(),
          Syndrome.WR_FLUSH_ERR,
          VendorSyndrome.FLUSHED,
          cause)) {
        break;
      }
    }
    return done;
  }

  /**
   * Earliest time at which a timer of this queue pair runs out, in nanoseconds of the device's
   * clock; {@link Long#MAX_VALUE} for never.
   */
  public long deadline() {
    return state == QpState.RTS ? sends.deadline() : Long.MAX_VALUE;
  }

  /** Lets timers that ran out take effect. */
  public void onTimer() {
    if (state == QpState.RTS) {
      sends.onTimer();
    }
  }

  /** Raises an asynchronous event of this queue pair. */
  void raise(int type) {
    chip.recorder().record(Happening.EVENT, number, 0, type);
    chip.events().raise(type, number, 0);
  }

  /** True in the states in which requests are executed. */
  boolean takesRequests() {
    return state >= QpState.RTR && state != QpState.ERR;
  }

  /** Says why no request reaches the peer, when {@link #isReachable} is false. */
  String whyUnreachable() {
    return "no port of this device reaches the destination GID %s (rgid of its address path)"
        .formatted(remoteGid);
  }

  Drops drops() {
    return drops;
  }

  Chip chip() {
    return chip;
  }

  Link link() {
    return link;
  }

  Scheduler scheduler() {
    return scheduler;
  }

  ReceiveQueue receiveQueue() {
    return receiveQueue;
  }

  CompletionQueue sendCompletions() {
    return sendCompletions;
  }

  CompletionQueue receiveCompletions() {
    return receiveCompletions;
  }

  int pd() {
    return pd;
  }

  int userIndex() {
    return userIndex;
  }

  Gid localGid() {
    return localGid;
  }

  Gid remoteGid() {
    return remoteGid;
  }

  boolean isReachable() {
    return reachable;
  }

  int remoteQpn() {
    return remoteQpn;
  }

  /** Queue key; of datagrams. */
  int qkey() {
    return qkey;
  }

  /** Logarithm of the path MTU: a power of two, so that nobody needs to divide by it. */
  int logMtu() {
    return logMtu;
  }

  @Override
  public String toString() {
    String peer =
        service == ServiceType.UD ? "" : "remote QP 0x%x at %s, ".formatted(remoteQpn, remoteGid);
    String dropped = drops.count() == 0 ? "" : ", %d messages dropped".formatted(drops.count());
    return "QP 0x%x: %s, %s, %ssend index %d of producer %d%s"
        .formatted(
            number,
            service,
            Happening.stateName(state),
            peer,
            sendQueue.nextIndex(),
            sendQueue.producer(),
            dropped);
  }
}
