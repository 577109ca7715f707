package dev.bluebell.cli.trace;

import dev.bluebell.hca.HcaHappening;
import dev.bluebell.report.timeline.Moment;
import dev.bluebell.report.timeline.Request;
import dev.bluebell.report.timeline.Timeline;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The positions of one queue pair's rows in a picture, from top to bottom. */
final class PictureRows {
  /** The kind of entries that a row shows. */
  enum Kind {
    DOORBELLS("doorbells"),
    REQUESTS("send queue"),
    DELIVERIES("executes"),
    COMPLETIONS("completions"),
    OTHERS("other events");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }

    static Kind of(Moment moment) {
      return switch (moment.happening().kind()) {
        case HcaHappening.DOORBELL -> DOORBELLS;
        case HcaHappening.FETCHED -> REQUESTS;
        case HcaHappening.DELIVERED -> DELIVERIES;
        case HcaHappening.COMPLETED -> COMPLETIONS;
        default -> OTHERS;
      };
    }
  }

  static final double HEIGHT = 27;

  private final int queuePair;
  private final Map<Kind, Integer> first = new EnumMap<>(Kind.class);
  private final Map<Request, Integer> rowOf = new HashMap<>();
  private final double top;
  private int count;

  /**
   * @param requests of the queue pair, in the order of their start
   * @param moments of the queue pair
   */
  PictureRows(
      int queuePair, double top, List<Request> requests, List<Moment> moments, Timeline timeline) {
    this.queuePair = queuePair;
    this.top = top;
    for (Kind kind : Kind.values()) {
      if (moments.stream().anyMatch(moment -> Kind.of(moment) == kind)) {
        first.put(kind, count);
        count += kind == Kind.REQUESTS ? place(requests, timeline) : 1;
      }
    }
  }

  /** Gives each request the first row that is free for its time; returns the number of rows. */
  private int place(List<Request> requests, Timeline timeline) {
    List<Long> ends = new ArrayList<>();
    for (Request request : requests) {
      int row = 0;
      while (row < ends.size() && ends.get(row) > request.fetch().nanos()) {
        row++;
      }
      if (row == ends.size()) {
        ends.add(0L);
      }
      ends.set(row, timeline.endOf(request));
      rowOf.put(request, row);
    }
    return Math.max(1, ends.size());
  }

  int queuePair() {
    return queuePair;
  }

  double top() {
    return top;
  }

  double height() {
    return count * HEIGHT;
  }

  /** The kinds of rows in use, each with the middle of its first row. */
  Map<Kind, Double> labels() {
    Map<Kind, Double> labels = new EnumMap<>(Kind.class);
    first.forEach((kind, row) -> labels.put(kind, middle(row)));
    return labels;
  }

  private double middle(int row) {
    return top + (row + 0.5) * HEIGHT;
  }

  /** The middle of the row of a moment. */
  double middle(Moment moment) {
    return middle(Objects.requireNonNull(first.get(Kind.of(moment))));
  }

  /** The middle of the row of a request. */
  double middle(Request request) {
    return middle(
        Objects.requireNonNull(first.get(Kind.REQUESTS)) + rowOf.getOrDefault(request, 0));
  }
}
