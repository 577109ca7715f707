package dev.bluebell.server.remote;

import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.HcaHosting;
import dev.bluebell.hca.command.ObjectKind;
import java.util.List;

/**
 * The device's diagnosis for one client, about its own objects only. Traces only the client's
 * queues, until this is closed. For one thread.
 */
final class OwnDiagnosis implements AutoCloseable {
  private final Observers observers;
  private final HcaHosting hosting;
  private final OwnObjects objects;
  private final Observed observed;
  private boolean traces;

  OwnDiagnosis(Observers observers, HcaHosting hosting, OwnObjects objects) {
    this.observers = observers;
    this.hosting = hosting;
    this.objects = objects;
    observed = observers.open(false);
  }

  /** The token under which the client's objects are recorded. */
  long token() {
    return observed.token();
  }

  /** Traces a new object of the client if it is a queue pair and tracing is on. */
  void created(ObjectKind kind, int number) {
    if (kind == ObjectKind.QUEUE_PAIR && traces) {
      hosting.trace(number, true);
    }
  }

  /** Ends the tracing of a destroyed object, whose number may be reused. */
  void destroyed(ObjectKind kind, int number) {
    if (kind == ObjectKind.QUEUE_PAIR && traces) {
      hosting.trace(number, false);
    }
  }

  /** Turns tracing on or off; returns whether it was on. */
  boolean trace(boolean on) {
    boolean before = traces;
    if (before != on) {
      traces = on;
      objects.numbers(ObjectKind.QUEUE_PAIR).forEach(number -> hosting.trace(number, on));
    }
    return before;
  }

  List<String> explain(int cqn, int index) {
    return objects.has(ObjectKind.COMPLETION_QUEUE, cqn)
        ? observers.explain(cqn, index).stream().toList()
        : List.of();
  }

  List<String> explanations() {
    hosting.awaitTurn();
    return observed.latest();
  }

  List<HcaHappening> happenings() {
    return observers.happenings(observed);
  }

  List<String> lines() {
    return hosting.objects(objects::has);
  }

  @Override
  public void close() {
    try {
      trace(false);
    } finally {
      observers.close(observed);
    }
  }
}
