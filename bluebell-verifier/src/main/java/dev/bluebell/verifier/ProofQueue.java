package dev.bluebell.verifier;

import dev.bluebell.program.image.Queue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where a queue pair is on one path of a proof. */
final class ProofQueue {
  final Queue queue;
  final int number;

  /** Index of the next request, and of the next receive entry, counted on for ever. */
  long head;

  long taken;

  /** Requests that have begun. */
  int requests;

  /** Messages that were taken. */
  int arrivals;

  /** How often its ring has begun again since all rested. */
  int laps;

  /** How far the send queue may go, step by step; those that are passed are dropped. */
  final List<Limit> limits = new ArrayList<>();

  final List<Limit> receiveLimits = new ArrayList<>();

  /** When each request in the window is complete, by its index; none where it has no size. */
  final List<Limit> finished = new ArrayList<>();

  /** The same of each READ and atomic that may be under way, by its number. */
  final List<Limit> fetched = new ArrayList<>();

  long fetches;

  /** When the last request began, was done at the peer by its kind, and was complete. */
  Clock begun;

  Clock written;
  Clock answered;
  Clock complete;
  Clock received;

  /** When the READs and atomics so far are complete; null when there were none. */
  @Nullable Clock fenced;

  /** What has happened when all transpositions are over. */
  @Nullable Clock transposed;

  /** What has happened when all UMRs have changed their keys. */
  @Nullable Clock keyed;

  /** The last SEND_EN for this queue; null when there was none. */
  @Nullable Actor enabler;

  int enablerChain;
  int enablerCount;

  ProofQueue(Queue queue, int number, Clock start) {
    this.queue = queue;
    this.number = number;
    begun = start;
    written = start;
    answered = start;
    complete = start;
    received = start;
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
    copy.enablerChain = enablerChain;
    copy.enablerCount = enablerCount;
    return copy;
  }

  /** How far it may go in all. */
  long limit() {
    return limits.isEmpty() ? head : Math.max(head, limits.getLast().index());
  }

  long receiveLimit() {
    return receiveLimits.isEmpty() ? taken : Math.max(taken, receiveLimits.getLast().index());
  }

  /** What has certainly happened when the slot of an index may first be read. */
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

  void pass(int slots) {
    head += slots;
    limits.removeIf(limit -> limit.index() <= head);
  }

  /**
   * Takes off what must be complete before there is room for another request.
   *
   * @param index all requests before it
   * @return what has certainly happened then; null when that says nothing new
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

  /** Counts indices from another one on. */
  void rebase(long from) {
    head -= from;
    limits.replaceAll(limit -> new Limit(limit.index() - from, limit.since()));
    finished.replaceAll(limit -> new Limit(limit.index() - from, limit.since()));
  }

  /** Counts receive entries from another one on. */
  void rebaseReceives(long from) {
    taken -= from;
    receiveLimits.replaceAll(limit -> new Limit(limit.index() - from, limit.since()));
  }

  /** "WQE 3 of queue 0x40 (worker)". */
  String entry(long index) {
    return "WQE %d of %s".formatted(index & 0xffff, name());
  }

  String name() {
    return "queue 0x%x (%s)".formatted(queue.qpn(), queue.name());
  }
}
