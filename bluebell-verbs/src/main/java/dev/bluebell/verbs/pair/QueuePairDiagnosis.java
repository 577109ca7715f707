package dev.bluebell.verbs.pair;

import dev.bluebell.hca.HcaException;
import dev.bluebell.verbs.QueuePairState;
import dev.bluebell.verbs.completion.CompletionDiagnosis;
import dev.bluebell.verbs.completion.CompletionQueueImpl;
import dev.bluebell.verbs.object.DeviceSays;
import dev.bluebell.verbs.object.Diagnosed;
import dev.bluebell.verbs.object.Lifetime;
import dev.bluebell.verbs.receive.SharedReceives;
import dev.bluebell.verbs.ring.ReceiveRing;
import dev.bluebell.verbs.ring.ReceiveRingState;
import dev.bluebell.verbs.ring.SendRingState;
import dev.bluebell.verbs.ring.SharedReceiveRing;
import dev.bluebell.verbs.ring.StridingRing;
import dev.bluebell.verbs.ring.StridingRingState;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Explains why requests of a queue pair do not complete: first the causes, then the details. */
public final class QueuePairDiagnosis {
  private final QueuePairParts parts;
  private final Lifetime lifetime;
  private final String name;
  private final Set<String> told;
  private final List<String> causes = new ArrayList<>();
  private final List<String> details = new ArrayList<>();

  private QueuePairDiagnosis(QueuePairParts parts, Lifetime lifetime, Set<String> told) {
    this.parts = parts;
    this.told = told;
    this.lifetime = lifetime;
    name = lifetime.name();
  }

  /** Explains as {@link Diagnosed#diagnose} does. */
  public static String of(QueuePairParts parts, Lifetime lifetime, Set<String> told) {
    return new QueuePairDiagnosis(parts, lifetime, told).paragraph();
  }

  private String paragraph() {
    if (lifetime.isClosed()) {
      return "%s is closed, so none of its requests completes.".formatted(name);
    }
    QueuePairState state = state();
    addSends(parts.sendState(), state);
    QueuePairUses uses = parts.plan().uses();
    SharedReceives shared = uses.sharedReceives();
    ReceiveRing receive = parts.receive();
    if (receive != null) {
      addReceives(receive.state(), state);
    } else if (shared != null) {
      addShared(shared);
    }
    DeviceSays.latestOf(parts.device(), name, told).ifPresent(causes::add);
    addCompletionQueues(uses.sendCompletions(), uses.receiveCompletions());
    details.addAll(DeviceSays.of(parts.device(), name));
    String paragraph =
        Stream.of(causes, details).flatMap(List::stream).collect(Collectors.joining(" "));
    return (causes.isEmpty() ? details : causes).getFirst().contains(name)
        ? paragraph
        : "%s: %s".formatted(name, paragraph);
  }

  /** The state, which it adds; when the device does not report it, the last known one. */
  private QueuePairState state() {
    try {
      QueuePairState state = parts.states().query().state();
      addState(state);
      return state;
    } catch (HcaException e) {
      causes.add("The device did not report its state: %s.".formatted(e.getMessage()));
      return parts.states().state();
    }
  }

  private void addState(QueuePairState state) {
    switch (state) {
      case RTS -> details.add("%s is in RTS.".formatted(name));
      case RTR ->
          causes.add(
              "%s is in RTR: it receives, and sends nothing until it is in RTS.".formatted(name));
      case RESET, INIT ->
          causes.add(
              "%s is in %s: it neither sends nor receives until it is connected."
                  .formatted(name, state));
      case ERROR ->
          causes.add(
              ("%s is in ERROR (the device's ERR): all its requests complete as flushed; if one of"
                      + " them failed, the first completion with another status says why.")
                  .formatted(name));
      default -> causes.add("%s is in %s.".formatted(name, state));
    }
  }

  /** Names the queues when there are two: an application may be polling the other one. */
  private void addCompletionQueues(CompletionQueueImpl sends, CompletionQueueImpl receives) {
    if (sends.equals(receives)) {
      CompletionDiagnosis.unpolled(sends).filter(told::add).ifPresent(causes::add);
      return;
    }
    boolean waits = sends.ring().state().isReady() || receives.ring().state().isReady();
    (waits ? causes : details)
        .add(
            "Its send requests complete in %s%s, its receive requests in %s%s."
                .formatted(sends, unpolled(sends), receives, unpolled(receives)));
  }

  private static String unpolled(CompletionQueueImpl queue) {
    return queue.ring().state().isReady() ? ", where a completion waits for a poll" : "";
  }

  private void addSends(SendRingState sends, QueuePairState state) {
    if (sends.isHalfBuilt()) {
      causes.add(
          "A send request is half built: end it with signaled or unsignaled, or call"
              + " dropUnfinished.");
    }
    if (sends.isKept()) {
      details.add(
          "Its send queue holds a program, which SEND_ENs of other queue pairs run: the driver does"
              + " not count its requests.");
      return;
    }
    if (sends.pending() == 0) {
      details.add("No send request is outstanding.");
      return;
    }
    if (parts.plan().channel().managedSends()) {
      addManagedSends(sends);
      return;
    }
    int rung = sends.pending() - sends.unrung();
    if (sends.unrung() > 0) {
      causes.add(
          ("%d of %d outstanding send requests were posted but not rung: the doorbell record says"
                  + " %d and should say %d, so the device does not know of them; call"
                  + " ringDoorbell().")
              .formatted(sends.unrung(), sends.pending(), sends.rung(), sends.producer()));
    }
    if (rung > 0 && (sends.isSignaled() || state == QueuePairState.ERROR)) {
      boolean waits = parts.plan().uses().sendCompletions().ring().state().isReady();
      details.add(
          "The doorbell record counts %s not completed%s."
              .formatted(
                  requests(rung), waits ? ", or whose completion no poll has returned" : ""));
    } else if (rung > 0) {
      causes.add(
          ("The doorbell record counts %s not completed, and none is signalled, so success is not"
                  + " reported; signal the last one.")
              .formatted(requests(rung)));
    }
  }

  private void addManagedSends(SendRingState sends) {
    details.add(
        ("Its send queue is managed (cd_slave_send): send requests that wait to be enabled, or were"
                + " enabled and have not completed: %d; enableSends(queuePair, %d) of another queue"
                + " pair lets the device execute all of them.")
            .formatted(sends.pending(), sends.producer()));
    if (!sends.isSignaled()) {
      causes.add("None of them is signalled, so success is not reported; signal the last one.");
    }
  }

  private static String requests(int count) {
    return count == 1 ? "1 send request that has" : "%d send requests that have".formatted(count);
  }

  private void addShared(SharedReceives shared) {
    details.add("It receives from %s.".formatted(shared));
    if (shared.byQueuePair() instanceof StridingRing strides) {
      addStrides(strides.state());
    } else if (shared.byQueuePair() instanceof SharedReceiveRing ring && ring.unrung() > 0) {
      causes.add(
          ("Receive requests that were posted to %s but not rung: %d. The device does not know of"
                  + " them; call ringDoorbell() of the queue.")
              .formatted(shared, ring.unrung()));
    }
  }

  private void addStrides(StridingRingState strides) {
    if (strides.waiting() == 0) {
      causes.add(
          "No entry that is posted there has strides left, so a message finds no room. Strides that"
              + " were reported but not released: %d.".formatted(strides.unread()));
    } else if (strides.unrung() > 0) {
      causes.add(
          ("%d of the entries that wait there are not in the doorbell record, so the device does"
                  + " not know of them; call ringDoorbell() of the queue.")
              .formatted(strides.unrung()));
    } else {
      details.add(
          "Strides that wait there for packets: %d, in entries: %d."
              .formatted(strides.left(), strides.waiting()));
    }
  }

  private void addReceives(ReceiveRingState receives, QueuePairState state) {
    if (receives.isHalfBuilt()) {
      causes.add("A receive request is half built: end it with post, or call dropUnfinished.");
    }
    if (receives.isKept()) {
      details.add(
          ("Its receive queue holds a program: the driver does not count its requests, and %s"
                  + " limits how many of them the device takes.")
              .formatted(
                  parts.plan().channel().managedReceives()
                      ? "RECV_EN"
                      : "the doorbell record (%d)".formatted(receives.rung())));
    } else if (receives.pending() == 0) {
      details.add("No receive request is posted.");
    } else if (parts.plan().channel().managedReceives()) {
      details.add(
          ("Its receive queue is managed (cd_slave_receive), so the device reads no doorbell record"
               + " for it: receive requests that wait for a RECV_EN or for messages: %d;"
               + " enableReceives(queuePair, %d) of another queue pair lets the device take all of"
               + " them.")
              .formatted(receives.pending(), receives.producer()));
    } else if (receives.unrung() > 0) {
      causes.add(
          ("%d of %d posted receive requests are not in the doorbell record, which says %d: the"
                  + " device does not know of them; call ringReceiveDoorbell().")
              .formatted(receives.unrung(), receives.pending(), receives.rung()));
    } else {
      details.add(
          "Receive requests %s: %d."
              .formatted(
                  state == QueuePairState.ERROR
                      ? "whose completions were not polled"
                      : "that wait for messages",
                  receives.pending()));
    }
  }
}
