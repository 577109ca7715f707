package dev.bluebell.cli.trace;

import dev.bluebell.cli.output.Wrap;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.text.Counted;
import dev.bluebell.report.timeline.Moment;
import dev.bluebell.report.timeline.Request;
import dev.bluebell.report.timeline.Timeline;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A picture of a short trace. For each queue pair it shows doorbells, requests from fetch to
 * completion, executed requests of others, and completions. Arrows follow each request.
 */
final class TracePicture {
  /**
   * Most requests in a picture. Of a longer trace it shows those before the first failure, or the
   * first requests of all.
   */
  private static final int MOST = 48;

  /** How many of them were fetched after the failure. */
  private static final int AFTER_FAILURE = 4;

  private static final double WIDTH = 960;
  private static final double LEFT = 164;
  private static final double RIGHT = 60;
  private static final double TOP = 74;
  private static final double GAP = 22;
  private static final double LINE = 17;
  private static final int CHARACTERS = 132;

  private static final double SLICE = 18;
  private static final double MARK = 5;
  private static final double CHARACTER = 5.9;
  private static final double CAPITAL = 6.7;
  private static final int MOST_TICKS = 12;
  private static final double TICK_ROOM = 44;
  private static final int MOST_TITLE = 70;
  private static final double NANOS_PER_MICRO = 1_000;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private static final String INK = "#24292f";
  private static final String PALE = "#6e7781";
  private static final String ERROR = "#c62828";
  private static final String FLUSHED = "#e57373";
  private static final List<String> COLOURS =
      List.of("#1f6fb4", "#2a8f5c", "#8e5ea2", "#c77d12", "#0f8b8d", "#8a6d52");

  private final Timeline timeline;
  private final String title;
  private final List<Request> shown;
  private final int first;
  private final long start;
  private final long end;
  private final Svg svg = new Svg();
  private final Map<Integer, PictureRows> rows = new LinkedHashMap<>();
  private final PictureScale scale;
  private double bottom = TOP;

  private TracePicture(Timeline timeline, String title) {
    this.timeline = timeline;
    this.title = title.length() <= MOST_TITLE ? title : title.substring(0, MOST_TITLE - 1) + "…";
    List<Request> all = timeline.requests();
    OptionalLong failure = timeline.failure();
    int behind = Math.min(MOST, all.size());
    if (failure.isPresent()) {
      long when = failure.getAsLong();
      long before = all.stream().filter(request -> request.fetch().nanos() <= when).count();
      behind = Math.clamp(before + AFTER_FAILURE, behind, all.size());
    }
    first = Math.max(0, behind - MOST);
    shown = all.subList(first, behind);
    start = first == 0 ? timeline.start() : begin(shown.getFirst());
    end =
        behind == all.size()
            ? timeline.end()
            : Math.max(
                failure.orElse(start),
                shown.stream().mapToLong(timeline::endOf).max().orElse(timeline.end()));
    scale =
        new PictureScale(
            LongStream.concat(
                    LongStream.of(start, end), moments().stream().mapToLong(Moment::nanos))
                .toArray(),
            LEFT + 14,
            WIDTH - LEFT - RIGHT - 14);
  }

  private static long begin(Request request) {
    Moment doorbell = request.doorbell();
    return doorbell == null ? request.fetch().nanos() : doorbell.nanos();
  }

  /** The picture as an SVG document. */
  static String of(Timeline timeline, String title) {
    return new TracePicture(timeline, title).draw();
  }

  /** The requests that a picture shows, for example {@code requests 1 to 48 of 120}. */
  static String summary(Timeline timeline) {
    return new TracePicture(timeline, "").extent();
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
    drawMarks();
    overruns().forEach(this::drawOverrun);
    drawLegend();
    drawExplanations();
    return new Svg()
        .add(
            "<rect width=\"%.0f\" height=\"%.0f\" rx=\"8\" fill=\"#ffffff\" stroke=\"#d0d7de\"/>",
            WIDTH, bottom)
        .append(lines)
        .append(svg)
        .document(WIDTH, bottom, title);
  }

  private List<Moment> moments() {
    return timeline.moments().stream()
        .filter(moment -> isShown(moment) && moment.queuePair() >= 0)
        // The completions already show these.
        .filter(
            moment ->
                moment.happening().kind() != HcaHappening.ACKNOWLEDGED
                    && moment.happening().kind() != HcaHappening.TAKEN)
        .toList();
  }

  private List<Moment> overruns() {
    return timeline.moments().stream()
        .filter(moment -> isShown(moment) && moment.isOverrun())
        .toList();
  }

  private boolean isShown(Moment moment) {
    return moment.nanos() >= start && moment.nanos() <= end;
  }

  /** A moment outside the picture has no row, so no arrow leads from or to it. */
  private @Nullable Moment ifShown(@Nullable Moment moment) {
    return moment != null && isShown(moment) ? moment : null;
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
    return scale.x(Math.clamp(nanos, start, end));
  }

  private static String micros(long nanos) {
    return String.format(
        Locale.ROOT, nanos < NANOS_PER_MILLI ? "%.2f" : "%.0f", nanos / NANOS_PER_MICRO);
  }

  private void text(double x, double y, String attributes, String colour, String text) {
    svg.text(x, y, "%s fill=\"%s\"".formatted(attributes, colour), text);
  }

  // ---- what does not depend on requests

  private void drawBackground(Svg lines) {
    for (PictureRows each : rows.values()) {
      lines.add(
          "<rect x=\"10\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"5\" fill=\"#f6f8fa\"/>",
          each.top() - 3, WIDTH - 20, each.height() + 6);
    }
    double step = step();
    double free = 0;
    for (long tick = 0; tick * step <= end - start; tick++) {
      long nanos = start + Math.round(tick * step);
      double x = x(nanos);
      if (scale.isPause(nanos)) {
        // Continues with the first tick after the pause.
        tick = lastWithinPause(nanos, step);
        continue;
      }
      if (x < free) {
        continue;
      }
      free = x + TICK_ROOM;
      lines.add(
          "<path d=\"M%.1f %.1fV%.1f\" stroke=\"#d0d7de\" stroke-dasharray=\"2 3\"/>",
          x, TOP - 10, bottom - GAP + 4);
      text(
          x,
          TOP - 16,
          "font-size=\"11\" text-anchor=\"middle\"",
          PALE,
          number(tick * step / NANOS_PER_MICRO) + (tick == 0 ? " µs" : ""));
    }
    drawPauses(lines);
    text(16, 27, "font-size=\"15\" font-weight=\"bold\"", INK, title);
    text(
        WIDTH - 16,
        27,
        "font-size=\"12\" text-anchor=\"end\"",
        PALE,
        "%s in %s µs".formatted(extent(), micros(end - start)));
  }

  private String extent() {
    int all = timeline.requests().size();
    if (shown.size() < all) {
      return "requests %d to %d of %d".formatted(first + 1, first + shown.size(), all);
    }
    return Counted.of(all, "request");
  }

  private long lastWithinPause(long nanos, double step) {
    long to =
        scale.pauses().stream()
            .filter(pause -> nanos > pause.from() && nanos < pause.to())
            .mapToLong(PictureScale.Pause::to)
            .findFirst()
            .orElse(nanos);
    return (long) Math.ceil((to - start) / step) - 1;
  }

  private void drawPauses(Svg lines) {
    double free = 0;
    for (PictureScale.Pause pause : scale.pauses()) {
      double middle = (x(pause.from()) + x(pause.to())) / 2;
      lines.add(
          "<path d=\"M%.1f %.1fV%.1fM%.1f %.1fV%.1f\" stroke=\"%s\" opacity=\"0.5\"/>",
          middle - 2, TOP - 10, bottom - GAP + 4, middle + 2, TOP - 10, bottom - GAP + 4, PALE);
      String length = length(pause.nanos());
      double half = length.length() * CHARACTER / 2;
      if (middle - half >= free) {
        text(middle, TOP - 32, "font-size=\"10\" text-anchor=\"middle\"", PALE, length);
        free = middle + half;
      }
    }
  }

  /** A short text for a duration. */
  private static String length(long nanos) {
    if (nanos < NANOS_PER_MILLI) {
      return String.format(Locale.ROOT, "%.3g µs", nanos / NANOS_PER_MICRO);
    }
    double millis = nanos / (double) NANOS_PER_MILLI;
    return String.format(
        Locale.ROOT, millis < 1000 ? "%.0f ms" : "%.1f s", millis < 1000 ? millis : millis / 1000);
  }

  /** Nanoseconds between two ticks: 1, 2 or 5 times a power of ten. */
  private double step() {
    double step = 1;
    int next = 0;
    double[] factors = {2, 2.5, 2};
    double nanos = scale.nanosOf(WIDTH - LEFT - RIGHT - 14);
    while (nanos / step > MOST_TICKS) {
      step *= factors[next++ % factors.length];
    }
    return step;
  }

  private static String number(double micros) {
    String text = String.format(Locale.ROOT, "%.3f", micros);
    return text.replaceFirst("\\.?0+$", "");
  }

  private void drawLabels(PictureRows of) {
    text(
        18,
        of.top() + 13,
        "font-size=\"12\" font-weight=\"bold\"",
        INK,
        "QP 0x%x".formatted(of.queuePair()));
    of.labels()
        .forEach(
            (kind, y) ->
                text(LEFT - 4, y + 4, "font-size=\"11\" text-anchor=\"end\"", PALE, kind.label()));
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
    Moment doorbell = ifShown(request.doorbell());
    Moment delivery = ifShown(request.delivery());
    Moment receipt = ifShown(request.receipt());
    Moment completion = ifShown(request.completion());
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
    // Leaves and arrives along the longer axis.
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

  private static String fill(Request request) {
    Moment completion = request.completion();
    if (completion == null || !completion.isError()) {
      return COLOURS.get(colour(request));
    }
    return completion.isFlush() ? FLUSHED : ERROR;
  }

  private void drawSlice(Request request) {
    double from = x(request.fetch().nanos());
    double width = Math.max(2, x(timeline.endOf(request)) - from);
    double middle = rows(request.queuePair()).middle(request);
    svg.add(
        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"3\" fill=\"%s\"/>",
        from, middle - SLICE / 2, width, SLICE, fill(request));
    Stream.of(request.name(), request.name().replace("WQE ", ""), "" + request.index())
        .filter(name -> name.length() * CAPITAL + 8 <= width)
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

  /** Draws the marks of all rows, and then each label that covers no other mark or label. */
  private void drawMarks() {
    Map<Double, List<Moment>> byRow = new LinkedHashMap<>();
    for (Moment moment : moments()) {
      if (moment.happening().kind() != HcaHappening.FETCHED) {
        drawMark(moment);
        byRow.computeIfAbsent(y(moment), row -> new ArrayList<>()).add(moment);
      }
    }
    byRow.forEach(this::drawLabels);
  }

  private void drawMark(Moment moment) {
    double x = x(moment.nanos());
    double y = y(moment);
    String fill = moment.isError() ? ERROR : INK;
    switch (moment.happening().kind()) {
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
      default ->
          svg.add(
              "<rect x=\"%.1f\" y=\"%.1f\" width=\"3\" height=\"%.1f\" fill=\"%s\"/>",
              x - 1.5, y - MARK, 2 * MARK, PALE);
    }
  }

  private String label(Moment moment) {
    String when = micros(moment.nanos() - start);
    return switch (moment.happening().kind()) {
      case HcaHappening.DOORBELL, HcaHappening.DELIVERED, HcaHappening.COMPLETED -> when;
      default -> what(moment.happening()) + " " + when;
    };
  }

  private static String what(HcaHappening happening) {
    return switch (happening.kind()) {
      case HcaHappening.EVENT -> HcaEvent.typeName(happening.detail());
      case HcaHappening.STATE -> "now " + QpState.name(happening.detail());
      default -> happening.name();
    };
  }

  /** A label is to the right of its mark, or to the left at the edge of the picture. */
  private void drawLabels(double y, List<Moment> marks) {
    double free = 0;
    for (int i = 0; i < marks.size(); i++) {
      String label = label(marks.get(i));
      double x = x(marks.get(i).nanos());
      double width = label.length() * CHARACTER;
      boolean behind = x + MARK + 3 + width < WIDTH - 12;
      double from = behind ? x + MARK + 3 : x - MARK - 3 - width;
      double next =
          i + 1 < marks.size() ? x(marks.get(i + 1).nanos()) - MARK : Double.POSITIVE_INFINITY;
      if (from >= free && (!behind || from + width <= next)) {
        String attributes = "font-size=\"10\" text-anchor=\"%s\"";
        text(
            behind ? from : x - MARK - 3,
            y + 4,
            attributes.formatted(behind ? "start" : "end"),
            INK,
            label);
        free = from + width;
      }
      free = Math.max(free, x + MARK);
    }
  }

  private void drawOverrun(Moment overrun) {
    double x = x(overrun.nanos());
    svg.add(
        "<path d=\"M%.1f %.1fV%.1f\" stroke=\"%s\" stroke-width=\"2\"/>",
        x, TOP - 10, bottom - GAP + 4, ERROR);
    text(
        x - 4,
        TOP - 4,
        "font-size=\"10\" text-anchor=\"end\"",
        ERROR,
        "CQ 0x%x overrun".formatted(overrun.happening().number()));
  }

  // ---- below

  private void drawLegend() {
    text(
        18,
        bottom + 2,
        "font-size=\"11\"",
        PALE,
        "▼ doorbell  ·  ■ request, from its fetch to its completion  ·  ● executed by the"
            + " responder  ·  ◆ completion  ·  ▮ other events");
    bottom += LINE;
  }

  private void drawExplanations() {
    List<String> told = new ArrayList<>();
    for (Moment overrun : overruns()) {
      tell(
          told,
          "CQ 0x%x was overrun: a completion found no free entry, and the device writes no more to it"
              .formatted(overrun.happening().number()));
    }
    for (Request request : shown) {
      Moment completion = request.completion();
      @Nullable String why = completion == null ? null : completion.explanation();
      if (why != null) {
        tell(told, why);
      }
    }
  }

  private void tell(List<String> told, String why) {
    if (told.contains(why)) {
      return;
    }
    told.add(why);
    for (String line : Wrap.wrap(why, "", CHARACTERS).lines().toList()) {
      text(18, bottom + 2, "font-size=\"12\"", ERROR, line);
      bottom += LINE;
    }
  }
}
