package dev.bluebell.softnic.queue;

import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.engine.Work;
import java.util.concurrent.TimeUnit;

/**
 * The event moderation of an armed completion queue: holds an event back until a number of
 * completions has come, or a period has ended. Completions themselves are never held back. A queue
 * that is not armed, or has no event to raise, costs nothing. Owned by the thread that runs the
 * engine.
 */
final class Moderation extends Work {
  private final Chip chip;
  private final int number;
  private final Runnable raise;

  private long periodNanos;
  private int count;
  private boolean startsFromCqe;
  private boolean solicitedBreaks;

  // Start of the period: the time of the last event, or of the last completion.
  private long start;
  private boolean pending;

  /**
   * @param number of the queue
   * @param cqc its context
   * @param raise raises the event that was held back
   */
  Moderation(Chip chip, int number, View cqc, Runnable raise) {
    this.chip = chip;
    belongTo(chip.scheduler().client());
    this.number = number;
    this.raise = raise;
    solicitedBreaks = cqc.isSet(Cqc.SCQE_BREAK_MODERATION_EN);
    start = chip.time().now();
    configure(cqc);
  }

  /**
   * Sets cq_period, cq_max_count and cq_period_mode from a context; with a period or a count of 0,
   * no event is held back.
   */
  void configure(View cqc) {
    periodNanos = TimeUnit.MICROSECONDS.toNanos(cqc.getInt(Cqc.CQ_PERIOD));
    count = cqc.getInt(Cqc.CQ_MAX_COUNT);
    startsFromCqe = cqc.getInt(Cqc.CQ_PERIOD_MODE) == Cqc.CQ_PERIOD_MODE_START_FROM_CQE;
  }

  /**
   * Returns whether an event may be raised now; otherwise holds it back.
   *
   * @param solicited whether the newest completion is solicited, or failed
   * @param completions number of completions since the last event
   */
  boolean allows(boolean solicited, int completions) {
    if (periodNanos == 0
        || count == 0
        || Integer.compareUnsigned(completions, count) >= 0
        || solicited && solicitedBreaks) {
      return true;
    }
    if (startsFromCqe) {
      start = chip.time().now();
    }
    if (chip.time().now() - start >= periodNanos) {
      return true;
    }
    pending = true;
    chip.scheduler().schedule(this);
    return false;
  }

  /** Notes that an event was raised. */
  void raised() {
    pending = false;
    start = chip.time().now();
  }

  /** Drops the event that is held back, if there is one. */
  void forget() {
    pending = false;
  }

  /** True while an event is held back. */
  boolean isPending() {
    return pending;
  }

  @Override
  protected long deadline() {
    return pending ? start + periodNanos : Long.MAX_VALUE;
  }

  @Override
  protected void onTimer() {
    raise.run();
  }

  @Override
  protected void abandon(String why) {
    chip.explainCompletionQueue(number, why);
  }

  @Override
  public String toString() {
    return "the event of CQ 0x%x".formatted(number);
  }
}
