package dev.bluebell.cli.trace;

import dev.bluebell.cli.trace.Perfetto.CounterDescriptor;
import dev.bluebell.cli.trace.Perfetto.DebugAnnotation;
import dev.bluebell.cli.trace.Perfetto.TracePacket;
import dev.bluebell.cli.trace.Perfetto.TrackDescriptor;
import dev.bluebell.cli.trace.Perfetto.TrackEvent;
import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.report.timeline.Moment;
import dev.bluebell.report.timeline.Request;
import dev.bluebell.report.timeline.Timeline;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A flight record as a Perfetto trace. Each queue pair has a track with its events; below it are
 * its requests as slices, and a counter of outstanding requests. A flow leads each request from its
 * doorbell to its completions.
 */
final class PerfettoTrace {
  /** One writer writes all packets. */
  private static final int SEQUENCE = 1;

  /** Track of events that belong to no queue pair. */
  private static final long DEVICE = 1;

  // A queue pair's tracks: its own, then its counter, then the rows of its requests.
  private static final int TRACK_BITS = 20;
  private static final int COUNTER = 1;
  private static final int FIRST_ROW = 2;

  private static final String ERROR = "error";

  private final Timeline timeline;
  private final ProtoMessage trace = new ProtoMessage();
  private final Map<Integer, Rows> rows = new HashMap<>();
  private final Map<Moment, List<Request>> endings = new HashMap<>();
  private boolean begun;

  /** The rows of a queue pair's requests: slices in one row do not overlap. */
  private static final class Rows {
    private final TreeSet<Integer> free = new TreeSet<>();
    private final Map<Request, Integer> taken = new LinkedHashMap<>();
    private int count;

    /** Takes the first free row; true if it is a new one. */
    boolean take(Request request) {
      boolean added = free.isEmpty();
      taken.put(request, added ? count++ : free.removeFirst());
      return added;
    }

    int row(Request request) {
      return Objects.requireNonNull(taken.get(request));
    }

    void release(Request request) {
      free.add(Objects.requireNonNull(taken.remove(request)));
    }
  }

  private PerfettoTrace(Timeline timeline) {
    this.timeline = timeline;
    for (Request request : timeline.requests()) {
      Moment end = request.end();
      if (end != null) {
        endings.computeIfAbsent(end, first -> new ArrayList<>()).add(request);
      }
    }
  }

  /** The bytes of the trace: a {@code perfetto.protos.Trace}. */
  static byte[] of(Timeline timeline) {
    return new PerfettoTrace(timeline).write();
  }

  private byte[] write() {
    track(DEVICE, new ProtoMessage().put(TrackDescriptor.NAME, "device"));
    for (int queuePair : timeline.queuePairs()) {
      rows.put(queuePair, new Rows());
      track(
          track(queuePair, 0),
          new ProtoMessage()
              .put(TrackDescriptor.NAME, "QP 0x%x".formatted(queuePair))
              .put(TrackDescriptor.CHILD_ORDERING, TrackDescriptor.EXPLICIT));
      track(
          track(queuePair, COUNTER),
          child(queuePair, "outstanding requests", FIRST_ROW)
              .put(
                  TrackDescriptor.COUNTER,
                  new ProtoMessage().put(CounterDescriptor.UNIT, CounterDescriptor.UNIT_COUNT)));
    }
    timeline.moments().forEach(this::write);
    finish();
    return trace.bytes();
  }

  private static long track(int queuePair, int part) {
    return (long) (queuePair + 1) << TRACK_BITS | part;
  }

  private static ProtoMessage child(int queuePair, String name, int rank) {
    return new ProtoMessage()
        .put(TrackDescriptor.NAME, name)
        .put(TrackDescriptor.PARENT_UUID, track(queuePair, 0))
        .put(TrackDescriptor.SIBLING_ORDER_RANK, rank);
  }

  // ---- packets

  private ProtoMessage packet() {
    ProtoMessage packet = new ProtoMessage().put(TracePacket.TRUSTED_PACKET_SEQUENCE_ID, SEQUENCE);
    if (!begun) {
      begun = true;
      packet.put(TracePacket.SEQUENCE_FLAGS, TracePacket.SEQ_INCREMENTAL_STATE_CLEARED);
    }
    return packet;
  }

  private void track(long uuid, ProtoMessage descriptor) {
    trace.put(
        Perfetto.Trace.PACKET,
        packet().put(TracePacket.TRACK_DESCRIPTOR, descriptor.put(TrackDescriptor.UUID, uuid)));
  }

  private void event(long nanos, int type, long track, ProtoMessage event) {
    trace.put(
        Perfetto.Trace.PACKET,
        packet()
            .put(TracePacket.TIMESTAMP, nanos)
            .put(
                TracePacket.TRACK_EVENT,
                event.put(TrackEvent.TYPE, type).put(TrackEvent.TRACK_UUID, track)));
  }

  // ---- events

  private void write(Moment moment) {
    HcaHappening happening = moment.happening();
    if (happening.kind() == HcaHappening.FETCHED) {
      begin(moment);
    } else {
      instant(moment);
    }
    for (Request request : endings.getOrDefault(moment, List.of())) {
      end(request, moment.nanos());
      rows(request).release(request);
      count(request.queuePair(), moment.nanos());
    }
  }

  private Rows rows(Request request) {
    return Objects.requireNonNull(rows.get(request.queuePair()));
  }

  private void begin(Moment moment) {
    Request request = moment.requests().getFirst();
    int queuePair = request.queuePair();
    if (rows(request).take(request)) {
      track(row(request), child(queuePair, "send queue", 1));
    }
    ProtoMessage event = named(request.name(), request.failed() ? ERROR : "request");
    flows(event, moment);
    annotate(event, "queue pair", "0x%x".formatted(queuePair));
    annotate(event, "WQE index", request.index());
    annotate(event, "WQE", request.text());
    Moment completion = request.completion();
    if (completion != null) {
      annotate(event, "explanation", completion.explanation());
    }
    event(moment.nanos(), TrackEvent.TYPE_SLICE_BEGIN, row(request), event);
    count(queuePair, moment.nanos());
  }

  private long row(Request request) {
    return track(request.queuePair(), FIRST_ROW + rows(request).row(request));
  }

  private void end(Request request, long nanos) {
    event(nanos, TrackEvent.TYPE_SLICE_END, row(request), new ProtoMessage());
  }

  private void count(int queuePair, long nanos) {
    int outstanding = Objects.requireNonNull(rows.get(queuePair)).taken.size();
    event(
        nanos,
        TrackEvent.TYPE_COUNTER,
        track(queuePair, COUNTER),
        new ProtoMessage().put(TrackEvent.COUNTER_VALUE, outstanding));
  }

  private void instant(Moment moment) {
    HcaHappening happening = moment.happening();
    int queuePair = moment.queuePair();
    ProtoMessage event = named(title(happening), moment.isError() ? ERROR : happening.name());
    flows(event, moment);
    annotate(event, "what", happening.description());
    annotate(event, "explanation", moment.explanation());
    annotate(event, "bytes", happening.text());
    event(
        moment.nanos(),
        TrackEvent.TYPE_INSTANT,
        queuePair < 0 ? DEVICE : track(queuePair, 0),
        event);
  }

  private static String title(HcaHappening happening) {
    if (happening.kind() != HcaHappening.COMPLETED) {
      return happening.name();
    }
    return happening.syndrome() == 0
        ? "CQE " + CqeOpcode.name(happening.completionOpcode())
        : "CQE " + Syndrome.name(happening.syndrome());
  }

  /** Requests without a recorded end last until the end of the trace. */
  private void finish() {
    for (Rows each : rows.values()) {
      each.taken.keySet().forEach(request -> end(request, timeline.end()));
    }
  }

  private static ProtoMessage named(String name, String category) {
    return new ProtoMessage().put(TrackEvent.NAME, name).put(TrackEvent.CATEGORIES, category);
  }

  private static void flows(ProtoMessage event, Moment moment) {
    for (Request request : moment.requests()) {
      if (request.flow().size() > 1) {
        event.putFixed(
            request.endsAt(moment) ? TrackEvent.TERMINATING_FLOW_IDS : TrackEvent.FLOW_IDS,
            request.number());
      }
    }
  }

  private static void annotate(ProtoMessage event, String name, @Nullable String value) {
    if (value != null) {
      event.put(
          TrackEvent.DEBUG_ANNOTATIONS,
          new ProtoMessage()
              .put(DebugAnnotation.NAME, name)
              .put(DebugAnnotation.STRING_VALUE, value));
    }
  }

  private static void annotate(ProtoMessage event, String name, long value) {
    event.put(
        TrackEvent.DEBUG_ANNOTATIONS,
        new ProtoMessage().put(DebugAnnotation.NAME, name).put(DebugAnnotation.UINT_VALUE, value));
  }
}
