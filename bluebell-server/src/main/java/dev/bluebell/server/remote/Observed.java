package dev.bluebell.server.remote;

import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.hca.HcaObserver.Subject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

/**
 * An observer's queue of explanations about the clients that present its token, and the objects
 * that they had at each time. Thread-safe; methods that add never wait.
 */
final class Observed {
  private static final int MAX_SENTENCES = 1024;
  private static final int REMEMBERED = 64;
  private static final int MAX_LEFT = 256;
  private static final int MAX_SPANS = 1 << 14;

  private final BlockingQueue<Explanation> explanations = new LinkedBlockingQueue<>(MAX_SENTENCES);
  private final LongAdder lostFailures = new LongAdder();
  private final Set<String> recent = new LinkedHashSet<>();
  private final ArrayDeque<Span> spans = new ArrayDeque<>();
  private final Map<Observers.Thing, ArrayDeque<Span>> spansOf = new HashMap<>();
  private final ArrayDeque<String> latest = new ArrayDeque<>();
  private final Set<String> left = new LinkedHashSet<>();
  private final long token;
  private volatile boolean traces;
  private long first = Long.MAX_VALUE;

  /**
   * @param token positive; its clients present it
   * @param traces whether the clients' queue pairs are traced from their creation on
   */
  Observed(long token, boolean traces) {
    this.token = token;
    this.traces = traces;
  }

  long token() {
    return token;
  }

  boolean traces() {
    return traces;
  }

  /** Queue pairs that its clients create from now on are not traced. */
  void endTraces() {
    traces = false;
  }

  /** The time that an object existed, on the device's clock. */
  static final class Span {
    private final Observers.Thing thing;
    private final long from;
    private volatile long to = Long.MAX_VALUE;

    Span(Observers.Thing thing, long from) {
      this.thing = thing;
      this.from = from;
    }

    void end(long cycles) {
      to = cycles;
    }

    private boolean covers(long cycles) {
      return cycles >= from && cycles <= to;
    }
  }

  /** Adds an object that was created; forgets the oldest when there are too many. */
  synchronized Span begin(Subject subject, int number, long cycles) {
    Observers.Thing thing = new Observers.Thing(subject, number);
    Span span = new Span(thing, cycles);
    first = Math.min(first, cycles);
    if (spans.size() == MAX_SPANS) {
      forgetOldest();
    }
    spans.add(span);
    spansOf.computeIfAbsent(thing, first -> new ArrayDeque<>()).add(span);
    return span;
  }

  private void forgetOldest() {
    Observers.Thing thing = spans.remove().thing;
    spansOf.computeIfPresent(
        thing,
        (same, times) -> {
          times.remove();
          return times.isEmpty() ? null : times;
        });
  }

  /** True when an entry of the flight record is about an object that existed then. */
  synchronized boolean had(Subject subject, int number, long cycles) {
    ArrayDeque<Span> times = spansOf.get(new Observers.Thing(subject, number));
    return times != null && times.stream().anyMatch(span -> span.covers(cycles));
  }

  /** True when the first object was created before a time. */
  synchronized boolean hadAnyBefore(long cycles) {
    return first < cycles;
  }

  /**
   * Adds an explanation, unless the observer has its sentence already. Flushed requests repeat the
   * sentence of the request that failed. If both ends of a refused request are observed, the
   * requester's sentence contains the responder's and comes first. Explanations that the observer
   * does not read in time are lost.
   *
   * @param tooLate asked for a new sentence; if true, the sentence is only added to the {@linkplain
   *     #latest latest}, as for a resident, whose process has ended
   */
  void say(Explanation explanation, BooleanSupplier tooLate) {
    String sentence = explanation.sentence();
    synchronized (recent) {
      if (latest.size() == MAX_SENTENCES) {
        latest.removeFirst();
      }
      latest.addLast(sentence);
      boolean reported = recent.stream().anyMatch(one -> one.contains(sentence));
      if (reported || tooLate.getAsBoolean()) {
        return;
      }
      boolean unused = recent.add(sentence);
      if (recent.size() > REMEMBERED) {
        recent.remove(recent.iterator().next());
      }
    }
    if (!explanations.offer(explanation) && HcaDiagnosis.isFailure(sentence)) {
      lostFailures.increment();
    }
  }

  /** The latest sentences, oldest first. */
  List<String> latest() {
    synchronized (recent) {
      return List.copyOf(latest);
    }
  }

  /** Adds what the device says about the queues of a client that ended; some, if there are many. */
  void left(List<String> queues) {
    synchronized (left) {
      queues.stream().limit(MAX_LEFT - left.size()).forEach(left::add);
    }
  }

  /** What the device said about the queues that the clients left when they ended. */
  List<String> left() {
    synchronized (left) {
      return List.copyOf(left);
    }
  }

  /** Waits for the next explanation. */
  Explanation next() throws InterruptedException {
    return Objects.requireNonNull(explanations.take());
  }

  /** Removes and returns the explanations queued now, and one about those that were lost. */
  List<Explanation> rest() {
    List<Explanation> rest = new ArrayList<>();
    int unused = explanations.drainTo(rest);
    long lost = lostFailures.sumThenReset();
    if (lost > 0) {
      rest.add(
          new Explanation(
              0, "", "%d more failures are not listed: they came too fast".formatted(lost)));
    }
    return rest;
  }
}
