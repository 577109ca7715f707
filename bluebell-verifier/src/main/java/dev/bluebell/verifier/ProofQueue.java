package dev.bluebell.verifier;

import dev.bluebell.program.image.Queue;
import dev.bluebell.program.image.Ring;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** State of a queue pair on a path of a proof. */
final class ProofQueue {
  final Queue queue;
  final int number;

  /** Index of the next request, and of the next receive entry, unwrapped. */
  long head;

  long taken;

  /** Number of requests that have begun. */
  int requests;

  /** Number of messages that were taken. */
  int arrivals;

  /** Number of times that its ring has wrapped since the program was last at rest. */
  int laps;

  /** Limits of the send queue, in order, without those that were passed. */
  final List<Limit> limits = new ArrayList<>();

  final List<Limit> receiveLimits = new ArrayList<>();

  /** Completion of each request in the window, by index; empty when the window is unlimited. */
  final List<Limit> finished = new ArrayList<>();

  /** Completion of each READ and atomic that may be outstanding, by number. */
  final List<Limit> fetched = new ArrayList<>();

  long fetches;

  /**
   * Clocks at which the last request began, the last of each kind was executed by the peer, and the
   * last completed.
   */
  Clock begun;

  Clock written;
  Clock answered;
  Clock complete;
  Clock received;

  /** Clock at which the READs and atomics so far are complete. */
  Clock fenced;

  /** Clock at which all transpositions so far are over. */
  Clock transposed;

  /** Clock at which all UMRs so far have changed their keys. */
  Clock keyed;

  /** The last SEND_EN that enabled this queue; null when there was none. */
  @Nullable Span enabler;

  /** The queue whose messages it receives; null before the first one. */
  @Nullable Queue sender;

  ProofQueue(Queue queue, int number, Clock start) {
    this.queue = queue;
    this.number = number;
    begun = start;
    written = start;
    answered = start;
    complete = start;
    received = start;
    fenced = start;
    transposed = start;
    keyed = start;
  }

  ProofQueue copy() {
    ProofQueue copy = new ProofQueue(queue, number, begun);
    copy.head = head;
    copy.taken = taken;
    copy.requests = requests;
    copy.arrivals = arrivals;
    copy.laps = laps;
    copy.limits.addAll(limits);
    copy.receiveLimits.addAll(receiveLimits);
    copy.finished.addAll(finished);
    copy.fetched.addAll(fetched);
    copy.fetches = fetches;
    copy.written = written;
    copy.answered = answered;
    copy.complete = complete;
    copy.received = received;
    copy.fenced = fenced;
    copy.transposed = transposed;
    copy.keyed = keyed;
    copy.enabler = enabler;
    copy.sender = sender;
    return copy;
  }

  /** Index after the last enabled request. */
  long limit() {
    return limits.isEmpty() ? head : Math.max(head, limits.getLast().index());
  }

  long receiveLimit() {
    return receiveLimits.isEmpty() ? taken : Math.max(taken, receiveLimits.getLast().index());
  }

  /** Clock at which the slot of an index may first be read. */
  Clock readableSince(long index) {
    return since(limits, index);
  }

  Clock receivableSince(long index) {
    return since(receiveLimits, index);
  }

  private static Clock since(List<Limit> limits, long index) {
    for (Limit limit : limits) {
      if (limit.index() > index) {
        return limit.since();
      }
    }
    throw new IllegalStateException("index %d is not enabled".formatted(index));
  }

  /** The time of an access by the current request, which is over at its event of a chain. */
  Span span(Actor who, Clock from, Chain chain) {
    return new Span(who, from, chain.of(number), requests);
  }

  /** A clock at which also the current request's event of a chain has happened. */
  Clock after(Clock clock, Chain chain) {
    return clock.with(chain.of(number), requests);
  }

  void pass(int slots) {
    head += slots;
    limits.removeIf(limit -> limit.index() <= head);
  }

  /**
   * Removes the requests that must be complete before there is room for another one.
   *
   * @param index index after the last of them
   * @return clock of their completion; null when there is nothing to remove
   */
  static @Nullable Clock before(List<Limit> finished, long index) {
    @Nullable Clock done = null;
    while (!finished.isEmpty() && finished.getFirst().index() < index) {
      done = finished.removeFirst().since();
    }
    return done;
  }

  void passReceive() {
    taken++;
    receiveLimits.removeIf(limit -> limit.index() <= taken);
  }

  /** Subtracts {@code from} from all indices. */
  void rebase(long from) {
    head -= from;
    limits.replaceAll(limit -> new Limit(limit.index() - from, limit.since()));
    finished.replaceAll(limit -> new Limit(limit.index() - from, limit.since()));
  }

  /** Subtracts {@code from} from all indices of receive entries. */
  void rebaseReceives(long from) {
    taken -= from;
    receiveLimits.replaceAll(limit -> new Limit(limit.index() - from, limit.since()));
  }

  Stream<Ring> rings() {
    return Stream.of(queue.send(), queue.receive()).filter(Objects::nonNull);
  }

  /** "WQE 3 of queue 0x40 (worker)". */
  String entry(long index) {
    return Actor.wqe(queue, index);
  }

  String name() {
    return Actor.queue(queue);
  }
}
