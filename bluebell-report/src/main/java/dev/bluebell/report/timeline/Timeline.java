package dev.bluebell.report.timeline;

import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.cqe.CqeOpcode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The flight record, arranged by request: the entries of each request from its doorbell to its
 * completions. Overwritten entries only leave gaps.
 */
public final class Timeline {
  private final List<Moment> moments = new ArrayList<>();
  private final List<Request> requests = new ArrayList<>();
  private final List<Failure> failures = new ArrayList<>();
  private final SortedMap<Integer, HcaHappening> connections = new TreeMap<>();
  private final Map<Integer, Reading> readings = new HashMap<>();

  /** The state of a queue pair while the record is read. */
  private static final class Reading {
    private final Deque<Moment> doorbells = new ArrayDeque<>();
    private final Deque<Request> open = new ArrayDeque<>();
    private final Map<Integer, Request> byIndex = new HashMap<>();
    private @Nullable Moment receipt;
    private @Nullable Moment error;
    private @Nullable Moment failed;
    private @Nullable Failure failure;
    private @Nullable String cause;

    /** The first doorbell that announced a WQE; null when it is not in the record. */
    @Nullable Moment doorbell(int index) {
      while (!doorbells.isEmpty()
          && (short) (doorbells.getFirst().happening().index() - index) <= 0) {
        doorbells.removeFirst();
      }
      return doorbells.peekFirst();
    }

    void add(Request request) {
      open.addLast(request);
      byIndex.put(request.index(), request);
    }

    /** The last fetched request with an index; null when it is over. */
    @Nullable Request find(int index) {
      return byIndex.get(index);
    }

    Request removeOldest() {
      Request oldest = open.removeFirst();
      byIndex.remove(oldest.index(), oldest);
      return oldest;
    }
  }

  private Timeline() {}

  /** Reads entries in any order. */
  public static Timeline of(List<HcaHappening> record) {
    Timeline timeline = new Timeline();
    // A record of several devices has those of one after those of the other.
    record.stream().sorted(Comparator.comparingLong(HcaHappening::nanos)).forEach(timeline::read);
    return timeline;
  }

  private Reading reading(int qpn) {
    return readings.computeIfAbsent(qpn, unknown -> new Reading());
  }

  private void read(HcaHappening happening) {
    Reading reading = reading(happening.number());
    if (happening.kind() == HcaHappening.EXPLAINED) {
      explain(reading, Objects.requireNonNullElse(happening.text(), ""));
      return;
    }
    if (happening.kind() == HcaHappening.CONNECTED) {
      connections.put(happening.number(), happening);
      return;
    }
    Moment moment = new Moment(happening);
    moments.add(moment);
    switch (happening.kind()) {
      case HcaHappening.DOORBELL -> reading.doorbells.addLast(moment);
      case HcaHappening.FETCHED -> fetched(reading, moment);
      case HcaHappening.COMPLETED -> completed(reading, moment);
      case HcaHappening.DELIVERED -> delivered(reading, moment);
      case HcaHappening.FAILED -> reading.failed = moment;
      case HcaHappening.STATE -> {
        // A destroyed queue pair records nothing; the next with its number begins with INIT.
        if (happening.detail() == QpState.RST || happening.detail() == QpState.INIT) {
          readings.put(happening.number(), new Reading());
          reading.open.forEach(request -> request.retire(moment));
        } else if (reading.cause == null) {
          reading.cause = happening.text();
        }
      }
      default -> {
        // The entry belongs to no single request.
      }
    }
  }

  private static void explain(Reading reading, String why) {
    reading.cause = why;
    if (reading.error != null) {
      reading.error.explain(why);
    }
  }

  private void fetched(Reading reading, Moment moment) {
    Request request =
        new Request(requests.size() + 1, moment, reading.doorbell(moment.happening().index()));
    requests.add(request);
    reading.add(request);
  }

  private void completed(Reading reading, Moment moment) {
    HcaHappening happening = moment.happening();
    if (moment.isError()) {
      reading.error = moment;
      failed(reading, moment);
      if (moment.isFlush() && reading.cause != null) {
        moment.explain(flushed(happening.number(), reading.cause));
      }
    }
    int opcode = happening.completionOpcode();
    if (opcode != CqeOpcode.REQ && opcode != CqeOpcode.REQ_ERR) {
      reading.receipt = moment;
      return;
    }
    Request completed = reading.find(happening.index());
    if (completed == null) {
      return;
    }
    Request oldest = reading.removeOldest();
    while (oldest != completed) {
      oldest.retire(moment);
      oldest = reading.removeOldest();
    }
    completed.complete(moment);
  }

  private static String flushed(int qpn, String cause) {
    return cause.startsWith(HcaDiagnosis.FLUSHED)
        ? cause
        : "%sQP 0x%x was in the error state: %s".formatted(HcaDiagnosis.FLUSHED, qpn, cause);
  }

  /** Adds a failed request, or counts one that was flushed because of an earlier failure. */
  private void failed(Reading reading, Moment moment) {
    HcaHappening happening = moment.happening();
    if (moment.isFlush() && reading.failure != null) {
      reading.failure.addFlushed();
      return;
    }
    boolean isSend = happening.completionOpcode() == CqeOpcode.REQ_ERR;
    Moment dump = reading.failed;
    Request request = isSend ? reading.find(happening.index()) : null;
    String wqe =
        isSend && dump != null && dump.happening().index() == happening.index()
            ? dump.happening().text()
            : request == null ? null : request.text();
    reading.failed = null;
    reading.failure = new Failure(moment, wqe);
    failures.add(reading.failure);
  }

  private void delivered(Reading reading, Moment moment) {
    Request request = reading(moment.happening().detail()).find(moment.happening().index());
    Moment receipt = reading.receipt;
    reading.receipt = null;
    if (request == null || request.delivery() != null) {
      return;
    }
    request.deliver(moment);
    if (receipt != null && receipt.nanos() == moment.nanos()) {
      request.receive(receipt);
      // The completion is part of the delivery, but the device records it first.
      moments.removeLast();
      moments.add(moments.lastIndexOf(receipt), moment);
    }
  }

  /** All entries, in order of time. */
  public List<Moment> moments() {
    return moments;
  }

  /** The requests, in the order in which they were fetched. */
  public List<Request> requests() {
    return requests;
  }

  /** The failed requests, in order of time, without those that were flushed after them. */
  public List<Failure> failures() {
    return failures;
  }

  /** The latest {@link HcaHappening#CONNECTED} of each queue pair, by queue pair number. */
  public SortedMap<Integer, HcaHappening> connections() {
    return connections;
  }

  /** The {@link HcaHappening#OVERWRITTEN} of a record that lost entries; empty for a whole one. */
  public Optional<HcaHappening> overwritten() {
    return moments.stream()
        .map(Moment::happening)
        .filter(happening -> happening.kind() == HcaHappening.OVERWRITTEN)
        .findFirst();
  }

  /** Numbers of the queue pairs in the record, in ascending order. */
  public List<Integer> queuePairs() {
    return moments.stream()
        .map(Moment::queuePair)
        .filter(number -> number >= 0)
        .distinct()
        .sorted()
        .toList();
  }

  /** Time of the first failed request or overrun completion queue; empty for none. */
  public OptionalLong failure() {
    return moments.stream()
        .filter(moment -> moment.isError() || moment.isOverrun())
        .mapToLong(Moment::nanos)
        .findFirst();
  }

  /** Time of the first entry; 0 for an empty record. */
  public long start() {
    return moments.isEmpty() ? 0 : moments.getFirst().nanos();
  }

  /** Time of the last entry; 0 for an empty record. */
  public long end() {
    return moments.isEmpty() ? 0 : moments.getLast().nanos();
  }

  /** Time at which a request was over, or the end of the trace. */
  public long endOf(Request request) {
    Moment end = request.end();
    return end == null ? end() : end.nanos();
  }
}
