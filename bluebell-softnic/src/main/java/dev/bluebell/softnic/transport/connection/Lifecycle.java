package dev.bluebell.softnic.transport.connection;

import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.softnic.engine.Work;
import dev.bluebell.softnic.queue.Chip;
import org.jspecify.annotations.Nullable;

/**
 * The state of a queue pair, or of a part that can fail on its own, with the operations by which
 * its parts fail it or request a turn for it. Owned by the thread that runs the engine.
 */
public final class Lifecycle {
  private final Chip chip;
  private final QpIdentity self;
  private final Work work;
  private final @Nullable Object part;

  private int state = QpState.RST;
  private boolean flushing;
  private boolean abandoned;
  private String cause = "";

  /**
   * @param work gets turns for the queue pair
   */
  public Lifecycle(Chip chip, QpIdentity self, Work work) {
    this(chip, self, work, null);
  }

  /**
   * @param part the part of it that the state belongs to, as explanations name it; null for the
   *     whole
   */
  public Lifecycle(Chip chip, QpIdentity self, Work work, @Nullable Object part) {
    this.chip = chip;
    this.self = self;
    this.work = work;
    this.part = part;
  }

  /** See {@link QpState}. */
  public int state() {
    return state;
  }

  /** True in the state in which requests are sent. */
  public boolean isReadyToSend() {
    return state == QpState.RTS;
  }

  /** True in the states in which requests are executed. */
  public boolean takesRequests() {
    return state >= QpState.RTR && state != QpState.ERR;
  }

  /** True when the device failed at the queue pair and has abandoned it. */
  public boolean isAbandoned() {
    return abandoned;
  }

  public void enter(int newState) {
    enter(newState, null);
  }

  private void enter(int newState, @Nullable String why) {
    if (newState == QpState.RST) {
      flushing = false;
      abandoned = false;
    }
    if (state != newState) {
      state = newState;
      if (part == null) {
        chip.recorder().record(HcaHappening.STATE, self.number(), 0, newState, why);
      }
    }
  }

  // ---- failing

  /** True in ERR when the client, and no failure, moved the queue pair there. */
  public boolean isMovedByClient() {
    return state == QpState.ERR && cause.endsWith(HcaDiagnosis.MOVED_BY_COMMAND);
  }

  /**
   * Moves the queue pair to ERR; its work requests are flushed when it gets its turn.
   *
   * @param why what happened, for the explanations of the flushed requests
   */
  public void fail(String why) {
    if (state != QpState.ERR) {
      flush(QpState.ERR, why);
    }
  }

  /**
   * Ends the send queue after a request failed. A reliable connection ends with it, because it has
   * lost its peer; otherwise receiving continues.
   */
  public void failSends(String why) {
    if (self.service() == ServiceType.RC
        || self.service() == ServiceType.XRC
        || self.service() == ServiceType.DCI) {
      fail(why);
    } else if (state == QpState.RTS) {
      flush(QpState.SQER, why);
    }
  }

  private void flush(int newState, String why) {
    enter(newState, why);
    cause =
        "flushed, because %s is in %s: %s"
            .formatted(part == null ? self.name() : part, QpState.name(newState), why);
    flushing = true;
    wake();
  }

  /** Like {@link #fail}, with an event instead of the completion, which can't be written. */
  public void failUnreported(String why) {
    fail(why);
    raise(HcaEvent.WQ_CATASTROPHIC);
  }

  /** Leaves the queue pair in ERR without touching its queues again: the device failed at it. */
  public void abandon() {
    die();
    raise(HcaEvent.WQ_CATASTROPHIC);
  }

  /** Like {@link #abandon}, without an event. */
  public void die() {
    enter(QpState.ERR);
    abandoned = true;
  }

  /** True once after a failure, when outstanding requests must be flushed. */
  public boolean takeFlush() {
    boolean taken = flushing;
    flushing = false;
    return taken;
  }

  /** Why requests are flushed. */
  public String cause() {
    return cause;
  }

  /** Raises an asynchronous event of the queue pair. */
  public void raise(int type) {
    chip.recorder().record(HcaHappening.EVENT, self.number(), 0, type);
    chip.events().raise(type, self.number(), 0);
  }

  // ---- turns

  /** Gives the queue pair a turn soon. */
  public void wake() {
    chip.scheduler().activate(work);
  }

  /** See {@link Work#isFrozen}. */
  public boolean isFrozen() {
    return work.isFrozen();
  }

  /** See {@link Work#examine}. */
  public void examine() {
    work.examine();
  }

  /** Tells the scheduler that the deadline may be earlier than before. */
  public void schedule() {
    chip.scheduler().schedule(work);
  }
}
