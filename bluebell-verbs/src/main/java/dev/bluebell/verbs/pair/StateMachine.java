package dev.bluebell.verbs.pair;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.verbs.QueuePairAttributes;
import dev.bluebell.verbs.QueuePairState;
import dev.bluebell.verbs.QueuePairStateException;
import dev.bluebell.verbs.command.QueuePairCommands;
import dev.bluebell.verbs.jfr.QueuePairStateEvent;
import dev.bluebell.verbs.jfr.Recorder;

/** The state of a queue pair as its commands have set it. Guarded by its queue pair. */
public final class StateMachine {
  private final HcaObject object;
  private final String device;
  private QueuePairState state = QueuePairState.RESET;

  /**
   * A queue pair that was just created.
   *
   * @param device name of its device
   */
  public StateMachine(HcaObject object, String device) {
    this.object = object;
    this.device = device;
  }

  /** Number of the queue pair. */
  public int number() {
    return object.number();
  }

  public QueuePairState state() {
    return state;
  }

  /** Moves the queue pair; its state is unchanged when the device refuses the command. */
  public void move(QueuePairState next, byte[] command) {
    object.modify(command);
    QueuePairState before = state;
    state = next;
    if (Recorder.isThere()) {
      new QueuePairStateEvent(device, number(), before.name(), next.name()).commit();
    }
  }

  /** Changes attributes of the queue pair without changing its state. */
  public void modify(byte[] command) {
    object.modify(command);
  }

  /**
   * Checks the state.
   *
   * @param rule says what the state must be, and how to get there
   */
  public void require(QueuePairState wanted, String rule) {
    if (state != wanted) {
      throw wrongState(rule);
    }
  }

  public QueuePairStateException wrongState(String rule) {
    return new QueuePairStateException("%s is in state %s, and %s".formatted(this, actual(), rule));
  }

  /** The device moves a queue pair to ERROR by itself when a request fails. */
  private QueuePairState actual() {
    try {
      return query().state() == QueuePairState.ERROR ? QueuePairState.ERROR : state;
    } catch (HcaException e) {
      return state;
    }
  }

  public void toError() {
    move(QueuePairState.ERROR, QueuePairCommands.toError(number()));
  }

  public void toReset() {
    move(QueuePairState.RESET, QueuePairCommands.toReset(number()));
  }

  /** Queries the device. Needs no lock. */
  public QueuePairAttributes query() {
    return QueuePairCommands.attributes(object.query(QueuePairCommands.query(number())));
  }

  /** Name of the queue pair in messages. */
  @Override
  public String toString() {
    return "QP 0x%x".formatted(number());
  }
}
