package dev.bluebell.cli.trace;

import dev.bluebell.cli.output.Wrap;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaHappening;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A picture of a short trace: for each queue pair its doorbells, its requests from fetch to
 * completion, what it executed for others and its completions, with arrows along the way of each
 * request.
 */
final class TracePicture {
  /** Requests that fit into a picture; of a longer trace the first are drawn. */
  private static final int MOST = 48;

  private static final double WIDTH = 960;
  private static final double LEFT = 152;
  private static final double RIGHT = 60;
  private static final double TOP = 74;
  private static final double GAP = 22;
  private static final double LINE = 17;
  private static final int CHARACTERS = 132;

  private static final double SLICE = 18;
  private static final double MARK = 5;
  private static final double CHARACTER = 5.9;
  private static final int MOST_TICKS = 12;
  private static final double NANOS_PER_MICRO = 1_000;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private static final String INK = "#24292f";
  private static final String PALE = "#6e7781";
  private static final String ERROR = "#c62828";
  private static final List<String> COLOURS =
      List.of("#1f6fb4", "#2a8f5c", "#8e5ea2", "#c77d12", "#0f8b8d", "#8a6d52");

  private final Timeline timeline;
  private final String title;
  private final List<Request> shown;
  private final long start;
  private final long end;
  private final Svg svg = new Svg();
  private final Map<Integer, PictureRows> rows = new LinkedHashMap<>();
  private final Map<Double, Double> labelled = new HashMap<>();
  private double bottom = TOP;

  private TracePicture(Timeline timeline, String title) {
    this.timeline = timeline;
    this.title = title;
    List<Request> all = timeline.requests();
    shown = all.subList(0, Math.min(MOST, all.size()));
    start = timeline.start();
    end =
        shown.size() == all.size()
            ? timeline.end()
            : shown.stream().mapToLong(timeline::endOf).max().orElse(timeline.end());
  }

  /** The picture as an SVG document. */
  static String of(Timeline timeline, String title) {
    return new TracePicture(timeline, title).draw();
  }

  private String draw() {
    for (int queuePair : timeline.queuePairs()) {
      place(queuePair);
    }
    Svg lines = new Svg();
    drawBackground(lines);
    rows.values().forEach(this::drawLabels);
    drawArrows();
    shown.forEach(this::drawSlice);
    moments().forEach(this::drawMark);
    drawLegend();
    drawExplanations();
    return new Svg()
        .add(
            "<rect width=\"%.0f\" height=\"%.0f\" rx=\"8\" fill=\"#ffffff\" stroke=\"#d0d7de\"/>",
            WIDTH, bottom)
        .append(lines)
        .append(svg)
        .document(WIDTH, bottom, "bluebell trace " + title);
  }

  private List<Moment> moments() {
    return timeline.moments().stream()
        .filter(moment -> moment.nanos() <= end && moment.queuePair() >= 0)
        // The completion tells the same.
        .filter(moment -> moment.happening().kind() != HcaHappening.ACKNOWLEDGED)
        .toList();
  }

  private void place(int queuePair) {
    List<Moment> moments =
        moments().stream().filter(moment -> moment.queuePair() == queuePair).toList();
    if (moments.isEmpty()) {
      return;
    }
    PictureRows placed =
        new PictureRows(
            queuePair,
            bottom,
            shown.stream().filter(request -> request.queuePair() == queuePair).toList(),
            moments,
            timeline);
    rows.put(queuePair, placed);
    bottom += placed.height() + GAP;
  }

  private double x(long nanos) {
    double share = (nanos - start) / (double) Math.max(1, end - start);
    return LEFT + 14 + share * (WIDTH - LEFT - RIGHT - 14);
  }

  private static String micros(long nanos) {
    return String.format(
        Locale.ROOT, nanos < NANOS_PER_MILLI ? "%.2f" : "%.0f", nanos / NANOS_PER_MICRO);
  }

  // ---- what does not depend on requests

  private void drawBackground(Svg lines) {
    for (PictureRows each : rows.values()) {
      lines.add(
          "<rect x=\"10\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"5\" fill=\"#f6f8fa\"/>",
          each.top() - 3, WIDTH - 20, each.height() + 6);
    }
    double step = step();
    for (int tick = 0; tick * step <= end - start; tick++) {
      double x = x(start + Math.round(tick * step));
      lines.add(
          "<path d=\"M%.1f %.1fV%.1f\" stroke=\"#d0d7de\" stroke-dasharray=\"2 3\"/>",
          x, TOP - 10, bottom - GAP + 4);
      svg.text(
          x,
          TOP - 16,
          "font-size=\"11\" text-anchor=\"middle\" fill=\"%s\"".formatted(PALE),
          number(tick * step / NANOS_PER_MICRO) + (tick == 0 ? " µs" : ""));
    }
    svg.text(
        16,
        27,
        "font-size=\"15\" font-weight=\"bold\" fill=\"%s\"".formatted(INK),
        "bluebell trace " + title);
    svg.text(
        WIDTH - 16,
        27,
        "font-size=\"12\" text-anchor=\"end\" fill=\"%s\"".formatted(PALE),
        "%s%d %s in %s µs"
            .formatted(
                shown.size() < timeline.requests().size() ? "the first " : "",
                shown.size(),
                shown.size() == 1 ? "request" : "requests",
                micros(end - start)));
  }

  /** Nanoseconds between two ticks: 1, 2 or 5 times a power of ten. */
  private double step() {
    double step = 1;
    int next = 0;
    double[] factors = {2, 2.5, 2};
    while ((end - start) / step > MOST_TICKS) {
      step *= factors[next++ % factors.length];
    }
    return step;
  }

  private static String number(double micros) {
    String text = String.format(Locale.ROOT, "%.3f", micros);
    return text.replaceFirst("\\.?0+$", "");
  }

  private void drawLabels(PictureRows of) {
    svg.text(
        18,
        of.top() + 13,
        "font-size=\"12\" font-weight=\"bold\" fill=\"%s\"".formatted(INK),
        "QP 0x%x".formatted(of.queuePair()));
    of.labels()
        .forEach(
            (kind, y) ->
                svg.text(
                    LEFT - 4,
                    y + 4,
                    "font-size=\"11\" text-anchor=\"end\" fill=\"%s\"".formatted(PALE),
                    kind.label()));
  }

  // ---- requests

  private static int colour(Request request) {
    return (request.number() - 1) % COLOURS.size();
  }

  private void drawArrows() {
    svg.add("<defs>");
    for (int i = 0; i < COLOURS.size(); i++) {
      svg.add(
          "<marker id=\"a%d\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"6\""
              + " markerHeight=\"6\" orient=\"auto\"><path d=\"M0 0L8 4L0 8Z\""
              + " fill=\"%s\"/></marker>",
          i, COLOURS.get(i));
    }
    svg.add("</defs>");
    shown.forEach(this::drawWay);
  }

  private void drawWay(Request request) {
    Moment doorbell = request.doorbell();
    Moment delivery = request.delivery();
    Moment receipt = request.receipt();
    Moment completion = request.completion();
    double fetched = x(request.fetch().nanos());
    double row = rows(request.queuePair()).middle(request);
    if (doorbell != null) {
      drawArrow(request, x(doorbell.nanos()), y(doorbell) + MARK, fetched - 2, row);
    }
    if (delivery != null) {
      double at = x(delivery.nanos());
      double side = Math.signum(y(delivery) - row);
      drawArrow(request, fetched + 4, row + side * SLICE / 2, at, y(delivery) - side * MARK);
      if (receipt != null) {
        drawArrow(request, at, y(delivery) + MARK, x(receipt.nanos()), y(receipt) - MARK - 1);
      }
    }
    if (completion != null) {
      Moment from = delivery == null ? request.fetch() : delivery;
      double y = delivery == null ? row + SLICE / 2 : y(delivery);
      double side = Math.signum(y(completion) - y);
      drawArrow(
          request,
          x(from.nanos()) + 3,
          y + side * (delivery == null ? 0 : MARK - 2),
          x(completion.nanos()),
          y(completion) - side * (MARK + 2));
    }
  }

  private void drawArrow(Request request, double x, double y, double toX, double toY) {
    // Leaves and arrives in the direction in which the way is longer.
    boolean level = Math.abs(toX - x) * 2 > Math.abs(toY - y);
    double bendX = level ? Math.max(6, (toX - x) * 0.45) : 0;
    double bendY = level ? 0 : (toY - y) * 0.45;
    svg.add(
        "<path d=\"M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f\" fill=\"none\" stroke=\"%s\""
            + " stroke-width=\"1.4\" opacity=\"0.75\" marker-end=\"url(#a%d)\"/>",
        x,
        y,
        x + bendX,
        y + bendY,
        toX - bendX,
        toY - bendY,
        toX,
        toY,
        COLOURS.get(colour(request)),
        colour(request));
  }

  private void drawSlice(Request request) {
    double from = x(request.fetch().nanos());
    double width = Math.max(2, x(timeline.endOf(request)) - from);
    double middle = rows(request.queuePair()).middle(request);
    svg.add(
        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"3\" fill=\"%s\"/>",
        from,
        middle - SLICE / 2,
        width,
        SLICE,
        request.failed() ? ERROR : COLOURS.get(colour(request)));
    Stream.of(request.name(), request.name().replace("WQE ", ""), "" + request.index())
        .filter(name -> name.length() * CHARACTER + 8 <= width)
        .findFirst()
        .ifPresent(
            name -> svg.text(from + 5, middle + 3.5, "font-size=\"10\" fill=\"#ffffff\"", name));
  }

  // ---- what happened

  private PictureRows rows(int queuePair) {
    return Objects.requireNonNull(rows.get(queuePair));
  }

  private double y(Moment moment) {
    return rows(moment.queuePair()).middle(moment);
  }

  private void drawMark(Moment moment) {
    double x = x(moment.nanos());
    double y = y(moment);
    String fill = moment.isError() ? ERROR : INK;
    String label = micros(moment.nanos() - start);
    switch (moment.happening().kind()) {
      case HcaHappening.FETCHED -> {
        return;
      }
      case HcaHappening.DOORBELL ->
          svg.add(
              "<path d=\"M%.1f %.1fh%.1fl%.1f %.1fZ\" fill=\"%s\"/>",
              x - MARK, y - MARK + 1, 2 * MARK, -MARK, 2 * MARK - 1, fill);
      case HcaHappening.DELIVERED ->
          svg.add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\"/>", x, y, MARK - 1, fill);
      case HcaHappening.COMPLETED ->
          svg.add(
              "<path d=\"M%.1f %.1fl%.1f %.1fl%.1f %.1fl%.1f %.1fZ\" fill=\"%s\"/>",
              x, y - MARK - 1, MARK, MARK + 1, -MARK, MARK + 1, -MARK, -MARK - 1, fill);
      default -> {
        svg.add(
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"3\" height=\"%.1f\" fill=\"%s\"/>",
            x - 1.5, y - MARK, 2 * MARK, PALE);
        label = what(moment.happening()) + " " + label;
      }
    }
    drawLabel(x, y, label);
  }

  private static String what(HcaHappening happening) {
    return switch (happening.kind()) {
      case HcaHappening.EVENT -> HcaEvent.typeName(happening.detail());
      case HcaHappening.STATE -> "now " + HcaHappening.stateName(happening.detail());
      default -> happening.name();
    };
  }

  /**
   * A label goes where it does not cover the one before it: behind what it names, or before it at
   * the edge of the picture.
   */
  private void drawLabel(double x, double y, String label) {
    double width = label.length() * CHARACTER;
    boolean behind = x + MARK + 3 + width < WIDTH - 12;
    double from = behind ? x + MARK + 3 : x - MARK - 3 - width;
    if (labelled.getOrDefault(y, 0.0) > from) {
      return;
    }
    labelled.put(y, from + width);
    svg.text(
        behind ? from : x - MARK - 3,
        y + 4,
        "font-size=\"10\" text-anchor=\"%s\" fill=\"%s\"".formatted(behind ? "start" : "end", INK),
        label);
  }

  // ---- below

  private void drawLegend() {
    svg.text(
        18,
        bottom + 2,
        "font-size=\"11\" fill=\"%s\"".formatted(PALE),
        "▼ doorbell  ·  ■ request, from its fetch to its completion  ·  ● executed by the"
            + " responder  ·  ◆ completion");
    bottom += LINE;
  }

  private void drawExplanations() {
    List<String> told = new ArrayList<>();
    for (Request request : shown) {
      Moment completion = request.completion();
      @Nullable String why = completion == null ? null : completion.explanation();
      if (why != null && !told.contains(why)) {
        told.add(why);
        for (String line : Wrap.wrap(why, "", CHARACTERS).lines().toList()) {
          svg.text(18, bottom + 2, "font-size=\"12\" fill=\"%s\"".formatted(ERROR), line);
          bottom += LINE;
        }
      }
    }
  }
}
