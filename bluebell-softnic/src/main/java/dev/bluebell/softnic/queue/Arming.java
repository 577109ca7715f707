package dev.bluebell.softnic.queue;

import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.doorbell.CqArm;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.text.Counted;
import dev.bluebell.softnic.diagnosis.Repeats;
import java.util.function.Supplier;

/**
 * The arming state of a completion queue. Once software has armed the queue, the first completion
 * beyond the armed index that has not raised an event yet raises one, unless {@link Moderation}
 * holds it back. Owned by the thread that runs the engine.
 */
final class Arming {
  // cqc.st: armed for any, armed for solicited, fired.
  private static final int STATE_ARMED = 9;
  private static final int STATE_SOLICITED_ARMED = 6;
  private static final int STATE_FIRED = 0xa;

  private static final int INDEX_MASK = 0xffffff;

  /** Wrong arm commands that are all explained; see {@link Repeats}. */
  private static final int ALWAYS_TOLD = 64;

  private enum State {
    NONE,
    ANY,
    SOLICITED
  }

  private final Chip chip;
  private final int number;
  private final CompletionRing ring;
  private final Moderation moderation;
  private final Repeats told = new Repeats(ALWAYS_TOLD);
  private final Repeats early = new Repeats(1);

  private State state = State.NONE;

  // The arm command in the record at the last look. At first, the value that was there when the
  // queue was created, which may look like a first command.
  private int lastCommand;
  private boolean everArmed;

  // True when a command was obeyed before its own doorbell was seen, which may still come.
  private boolean obeyedUnrung;

  private int eventsRaised;

  // Producer index at the last event, which reported everything before it.
  private int notified;

  // Producer index after the newest completion that was solicited or failed, if there was any.
  private int behindSolicited;
  private boolean everSolicited;

  /**
   * @param cqc context of the queue
   */
  Arming(Chip chip, int number, CompletionRing ring, View cqc) {
    this.chip = chip;
    this.number = number;
    this.ring = ring;
    moderation = new Moderation(chip, number, cqc, this::fire);
    lastCommand = ring.armCommand();
  }

  /** Raises an event for a completion that was written, if one is due. */
  void completed(boolean solicitedOrFailed) {
    if (solicitedOrFailed) {
      everSolicited = true;
      behindSolicited = ring.producer();
    }
    if (state == State.ANY
        || state == State.SOLICITED && (solicitedOrFailed || moderation.isPending())) {
      raise(solicitedOrFailed);
    }
  }

  /** Treats the completion that was written last as solicited. */
  void solicited() {
    everSolicited = true;
    behindSolicited = ring.producer();
    if (state == State.SOLICITED) {
      raise(true);
    }
  }

  private void raise(boolean solicitedOrFailed) {
    if (moderation.allows(solicitedOrFailed, ring.producer() - notified)) {
      fire();
    }
  }

  private void fire() {
    ring.publish();
    state = State.NONE;
    moderation.raised();
    eventsRaised++;
    notified = ring.producer();
    chip.recorder().record(HcaHappening.EVENT, number, ring.producer(), HcaEvent.COMPLETION);
    chip.events().raise(HcaEvent.COMPLETION, number, 0);
  }

  /**
   * The queue's doorbell rang.
   *
   * @param rung the command that the register held
   */
  void arm(int rung) {
    int command = ring.armCommand();
    boolean obeyed = obeyedUnrung && command == lastCommand && command == rung;
    obeyedUnrung = false;
    if (obeyed) {
      return;
    }
    if (command == lastCommand && command != rung) {
      explain(
          told,
          () ->
              "its doorbell rang with arm command 0x%08x, but its doorbell record holds 0x%08x%s; write the record before the doorbell"
                  .formatted(rung, command, mayBeNext(rung, command)));
      return;
    }
    obey(command);
  }

  /**
   * The record may hold a second command of the same sequence number before the first one's
   * doorbell is seen, and it may equal the record's initial value.
   */
  private static String mayBeNext(int rung, int command) {
    return CqArm.sequence(rung) == CqArm.sequence(command)
        ? ", so the queue is armed only if that is a later command with a doorbell of its own"
        : "";
  }

  /**
   * Another queue's doorbell rang on the register, and may have overwritten this one's. The
   * record's initial value may be a first command, too: then the queue is armed, because software
   * that did arm it would wait for ever.
   */
  void armUnrung() {
    int command = ring.armCommand();
    if (command != lastCommand || !everArmed && CqArm.sequence(command) == 0) {
      obeyedUnrung = true;
      obey(command);
    }
  }

  // Software that arms before it polls, as many clients do, gets one event per completion. A
  // command with the sequence number of an earlier event is ignored, because an old command may
  // arrive late.
  private void obey(int command) {
    lastCommand = command;
    if (CqArm.sequence(command) != (eventsRaised & 3)) {
      boolean beforeEvent = CqArm.sequence(command) == (eventsRaised - 1 & 3);
      explain(
          beforeEvent ? early : told,
          () ->
              "arm command 0x%08x is ignored: its arm_sn is %d and the CQ has raised %s; %s"
                  .formatted(
                      command,
                      CqArm.sequence(command),
                      Counted.of(eventsRaised, "event"),
                      beforeEvent
                          ? HcaDiagnosis.ARMED_BEFORE_EVENT
                          : "increment arm_sn once for each event"));
      return;
    }
    everArmed = true;
    boolean solicitedOnly = CqArm.solicitedOnly(command);
    int unconsumed = ring.producer() - CqArm.consumerIndex(command) & INDEX_MASK;
    int untold = ring.producer() - notified;
    int unseen = Integer.compareUnsigned(untold, unconsumed) < 0 ? untold : unconsumed;
    state = solicitedOnly ? State.SOLICITED : State.ANY;
    moderation.forget();
    if (unseen > 0 && (!solicitedOnly || isSolicited(unseen))) {
      raise(solicitedOnly);
    }
  }

  /** Later entries go to another ring; an earlier entry may be solicited. */
  void resized() {
    everSolicited = true;
    behindSolicited = ring.producer();
  }

  /** Applies the moderation of a changed context. */
  void moderate(View cqc) {
    moderation.configure(cqc);
    if (moderation.isPending()) {
      raise(false);
    }
  }

  /** Ends all events, because the queue is destroyed. */
  void end() {
    state = State.NONE;
    moderation.forget();
  }

  private void explain(Repeats repeats, Supplier<String> what) {
    if (repeats.add()) {
      chip.explainCompletionQueue(number, "CQ 0x%x: %s".formatted(number, what.get()));
    }
  }

  /** True when one of the newest {@code unseen} completions was solicited or failed. */
  private boolean isSolicited(int unseen) {
    return everSolicited && Integer.compareUnsigned(ring.producer() - behindSolicited, unseen) < 0;
  }

  /** Producer index at the last event. */
  int notified() {
    return notified;
  }

  /** cqc.st. */
  int contextState() {
    return switch (state) {
      case ANY -> STATE_ARMED;
      case SOLICITED -> STATE_SOLICITED_ARMED;
      case NONE -> eventsRaised > 0 ? STATE_FIRED : 0;
    };
  }

  @Override
  public String toString() {
    return switch (state) {
      case NONE -> "not armed";
      case ANY -> "armed";
      case SOLICITED -> "armed for solicited completions and failures only";
    };
  }
}
