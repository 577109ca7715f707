package dev.bluebell.report;

import dev.bluebell.hca.HcaHappening;
import dev.bluebell.report.timeline.Moment;
import dev.bluebell.report.timeline.Request;
import dev.bluebell.report.timeline.Timeline;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The data of a device for the page's script, in columns, which keep a page with a million numbers
 * small.
 *
 * <p>{@code queuePairs} has their numbers. The columns of {@code events} are {@code ns} since the
 * first one, {@code kind} as {@link HcaHappening} has it, {@code qp} as an index of queuePairs or
 * -1, {@code error} 0, 1 or, if flushed, 2, {@code what} as an index of {@code lines}, and {@code
 * text}, the indices of the lines of a WQE or CQE. The columns of {@code requests} are {@code qp},
 * {@code name} as an index of lines, {@code end} in ns, {@code failed} as error, and {@code
 * doorbell}, {@code fetch}, {@code delivery}, {@code receipt} and {@code completion} as indices of
 * events or -1. {@code why} has pairs of an event and an index of lines.
 */
final class TimelineData {
  private static final int NONE = -1;

  private final Timeline timeline;
  private final Map<Moment, Integer> numbers = new IdentityHashMap<>();
  private final Map<Integer, Integer> queuePairs = new LinkedHashMap<>();

  // Line texts are shared, because the texts of WQEs have many lines in common.
  private final Map<String, Integer> lines = new LinkedHashMap<>();

  TimelineData(Timeline timeline) {
    this.timeline = timeline;
    timeline.moments().forEach(moment -> numbers.put(moment, numbers.size()));
    timeline.queuePairs().forEach(number -> queuePairs.put(number, queuePairs.size()));
  }

  /** Appends the data as an object. */
  void write(Json json, String device) {
    json.begin('{').name("name").value(device);
    json.name("queuePairs").begin('[');
    queuePairs.keySet().forEach(json::value);
    json.end(']');
    writeEvents(json);
    writeRequests(json);
    json.name("why").begin('[');
    for (Moment moment : timeline.moments()) {
      if (moment.explanation() != null) {
        json.begin('[').value(number(moment)).value(line(moment.explanation())).end(']');
      }
    }
    json.end(']');
    json.name("lines").begin('[');
    lines.keySet().forEach(json::value);
    json.end(']').end('}');
  }

  private void writeEvents(Json json) {
    List<Moment> moments = timeline.moments();
    json.name("events").begin('{');
    column(json, "ns", moments, moment -> moment.nanos() - timeline.start());
    column(json, "kind", moments, moment -> moment.happening().kind());
    column(json, "qp", moments, moment -> queuePairs.getOrDefault(moment.queuePair(), NONE));
    column(json, "error", moments, TimelineData::error);
    column(json, "what", moments, moment -> line(moment.happening().description()));
    json.name("text").begin('[');
    for (Moment moment : moments) {
      json.begin('[');
      String text = moment.happening().text();
      if (text != null) {
        text.lines().forEach(each -> json.value(line(each)));
      }
      json.end(']');
    }
    json.end(']').end('}');
  }

  private void writeRequests(Json json) {
    List<Request> requests = timeline.requests();
    json.name("requests").begin('{');
    column(json, "qp", requests, request -> queuePairs.getOrDefault(request.queuePair(), NONE));
    column(json, "name", requests, request -> line(request.name()));
    column(json, "end", requests, request -> timeline.endOf(request) - timeline.start());
    column(json, "failed", requests, request -> error(request.completion()));
    column(json, "doorbell", requests, request -> number(request.doorbell()));
    column(json, "fetch", requests, request -> number(request.fetch()));
    column(json, "delivery", requests, request -> number(request.delivery()));
    column(json, "receipt", requests, request -> number(request.receipt()));
    column(json, "completion", requests, request -> number(request.completion()));
    json.end('}');
  }

  private static int error(@Nullable Moment moment) {
    if (moment == null || !moment.isError() && !moment.isOverrun()) {
      return 0;
    }
    return moment.isFlush() ? 2 : 1;
  }

  private static <T> void column(Json json, String name, List<T> rows, ToLongFunction<T> valueOf) {
    json.name(name).begin('[');
    rows.forEach(row -> json.value(valueOf.applyAsLong(row)));
    json.end(']');
  }

  /** Index of a moment in the events; -1 for null. */
  int number(@Nullable Moment moment) {
    return moment == null ? NONE : numbers.getOrDefault(moment, NONE);
  }

  private int line(String text) {
    return lines.computeIfAbsent(text, added -> lines.size());
  }
}
