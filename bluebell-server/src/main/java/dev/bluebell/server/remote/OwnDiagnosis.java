package dev.bluebell.server.remote;

import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.HcaHosting;
import dev.bluebell.hca.command.ObjectKind;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What the device tells one client about itself: of the client's own objects, and of nobody else's.
 * Tracing is of its own queues, and ends with it. For one thread.
 */
final class OwnDiagnosis implements AutoCloseable {
  private final Observers observers;
  private final HcaHosting hosting;
  private final OwnObjects objects;
  private final long token;
  private final Observed observed;
  private final Set<Integer> queuePairs = new HashSet<>();
  private boolean traces;

  OwnDiagnosis(Observers observers, HcaHosting hosting, OwnObjects objects) {
    this.observers = observers;
    this.hosting = hosting;
    this.objects = objects;
    token = observers.open(false);
    observed = observers.find(token).orElseThrow();
  }

  /** By which the client's objects are noted. */
  long token() {
    return token;
  }

  /** The client has a new object. */
  void created(ObjectKind kind, int number) {
    if (kind == ObjectKind.QUEUE_PAIR) {
      queuePairs.add(number);
      if (traces) {
        hosting.trace(number, true);
      }
    }
  }

  /** The client has an object no more, and another may get its number. */
  void destroyed(ObjectKind kind, int number) {
    if (kind == ObjectKind.QUEUE_PAIR && queuePairs.remove(number) && traces) {
      hosting.trace(number, false);
    }
  }

  void trace(boolean on) {
    if (traces != on) {
      traces = on;
      queuePairs.forEach(number -> hosting.trace(number, on));
    }
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
    trace(false);
    observers.close(token);
  }
}
