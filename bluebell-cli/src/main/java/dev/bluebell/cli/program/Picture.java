package dev.bluebell.cli.program;

import dev.bluebell.cli.trace.Svg;
import dev.bluebell.program.plan.Assembly;
import dev.bluebell.program.plan.Entry;
import dev.bluebell.program.plan.Lane;
import dev.bluebell.program.plan.MessagePart;
import dev.bluebell.program.plan.Plan;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The dependences of a plan as a picture (SVG): a column for each queue, each entry below those
 * that start before it, and an arrow from each entry to those that depend on it.
 */
final class Picture {
  private static final int ROW = 46;
  private static final int BOX_HEIGHT = 34;
  private static final int BOX_WIDTH = 250;
  private static final int COLUMN = 450;
  private static final int LEFT = 110;
  private static final int TOP = 110;
  private static final int MAX_BULGE = 90;
  private static final int MAX_TEXT = 40;
  private static final int LEGEND_STEP = 250;

  private final Plan plan;
  private final Map<Entry, Integer> rows = new HashMap<>();
  private final Map<Entry, String> lines = new HashMap<>();
  private final Svg svg = new Svg();

  private Picture(Plan plan) {
    this.plan = plan;
    placeRows();
    List<String> listing = Assembly.of(plan).lines().toList();
    int line = 0;
    for (Lane lane : Lane.values()) {
      for (Entry entry : plan.queue(lane)) {
        lines.put(entry, listing.get(line++).strip());
      }
    }
  }

  /** The picture as SVG text. */
  static String of(Plan plan, String title) {
    return new Picture(plan).draw(title);
  }

  /**
   * The launcher comes first, then the worker. The worker continues below each loop or subprogram;
   * an entry of the client comes below the entry that enables it.
   */
  private void placeRows() {
    int worker = 0;
    for (Entry entry : plan.queue(Lane.LAUNCHER)) {
      rows.put(entry, worker++);
    }
    int client = worker;
    for (Entry entry : plan.queue(Lane.WORKER)) {
      rows.put(entry, worker++);
      if (entry.action() instanceof Entry.Enable enable && enable.target().isWorker()) {
        worker += begin(plan.queue(enable.target()), worker);
      }
    }
    for (Entry entry : plan.queue(Lane.CLIENT)) {
      int enabled = Dependences.enabler(plan, entry).map(by -> row(by) + 1).orElse(client);
      client = Math.max(client, enabled);
      rows.put(entry, client++);
    }
  }

  /** Places a queue where it is first enabled; returns the number of rows that it takes there. */
  private int begin(List<Entry> queue, int row) {
    if (rows.containsKey(queue.getFirst())) {
      return 0;
    }
    for (int i = 0; i < queue.size(); i++) {
      rows.put(queue.get(i), row + i);
    }
    return queue.size();
  }

  private int row(Entry entry) {
    return Objects.requireNonNull(rows.get(entry));
  }

  private int x(Lane lane) {
    return LEFT + plan.lanes().indexOf(lane) * COLUMN;
  }

  private int middle(Entry entry) {
    return TOP + row(entry) * ROW + BOX_HEIGHT / 2;
  }

  // ---- drawing

  private String draw(String title) {
    int last = rows.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    int width = LEFT + plan.lanes().size() * COLUMN;
    int height = TOP + (last + 1) * ROW + ROW / 2;
    svg.add("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>", width, height);
    svg.text(20, 28, "font-size=\"18\" font-weight=\"bold\"", title);
    svg.add("<g font-size=\"12\">");
    legend();
    for (Lane lane : plan.lanes()) {
      svg.add(
          "<text x=\"%d\" y=\"%d\" font-weight=\"bold\">%s queue</text>",
          x(lane), TOP - 12, lane.text());
    }
    Dependences.pairs(plan).forEach(this::arrow);
    call();
    for (Lane lane : Lane.values()) {
      plan.queue(lane).forEach(this::box);
    }
    svg.add("</g>");
    return svg.document(width, height, title);
  }

  private void legend() {
    int x = 20;
    for (Dependence.Kind kind : Dependence.Kind.values()) {
      svg.add(
          "<path d=\"M%d 52 h36\" %s/><text x=\"%d\" y=\"56\">%s</text>",
          x, stroke(kind), x + 44, kind.text());
      svg.add(
          "<marker id=\"%s\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\""
              + " markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0 L8 4 L0 8 z\""
              + " fill=\"%s\"/></marker>",
          kind.name().toLowerCase(Locale.ROOT), color(kind));
      x += LEGEND_STEP;
    }
  }

  private void call() {
    String parts =
        plan.message().stream()
            .map(MessagePart::input)
            .distinct()
            .map(Objects::toString)
            .collect(Collectors.joining(", "));
    svg.add(
        "<g><title>%s</title><rect x=\"10\" y=\"%d\" width=\"70\" height=\"%d\" rx=\"14\""
            + " fill=\"#fdf3d8\" stroke=\"#8a6d1b\"/><text x=\"45\" y=\"%d\""
            + " text-anchor=\"middle\">call</text></g>",
        Svg.escaped("the client's message: " + parts), TOP, BOX_HEIGHT, TOP + BOX_HEIGHT / 2 + 4);
  }

  private void box(Entry entry) {
    boolean work = entry.action() instanceof Entry.Work;
    int x = x(entry.lane());
    int y = TOP + row(entry) * ROW;
    String fence =
        switch (entry.fence()) {
          case NONE -> "";
          case ANSWERS, ALL -> "  fenced";
        };
    svg.add(
        "<g><title>%s</title><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"4\""
            + " fill=\"%s\" stroke=\"#555\"/>",
        Svg.escaped(lines.getOrDefault(entry, "")),
        x,
        y,
        BOX_WIDTH,
        BOX_HEIGHT,
        work ? "#eef4fb" : "#f0f0f0");
    svg.add(
        "<text x=\"%d\" y=\"%d\" font-family=\"monospace\">%d %s%s</text>",
        x + 6, y + 14, entry.index(), Svg.escaped(Assembly.mnemonic(entry)), fence);
    svg.add(
        "<text x=\"%d\" y=\"%d\" font-size=\"10\" fill=\"#444\">%s</text></g>",
        x + 6, y + 28, Svg.escaped(shortened(Assembly.purpose(entry))));
  }

  private void arrow(Dependence edge) {
    Entry to = edge.to();
    Entry from = edge.from();
    int toY = middle(to);
    if (from == null) {
      int fromY = TOP + BOX_HEIGHT / 2;
      curve(edge, 80, fromY, x(to.lane()), toY);
      return;
    }
    int fromY = middle(from);
    if (from.lane() == to.lane()) {
      beside(edge, x(from.lane()), fromY, toY);
    } else if (from.lane().compareTo(to.lane()) < 0) {
      curve(edge, x(from.lane()) + BOX_WIDTH, fromY, x(to.lane()), toY);
    } else {
      curve(edge, x(from.lane()), fromY, x(to.lane()) + BOX_WIDTH, toY);
    }
  }

  /** Arrows of changes run on the left of a column, all others on its right. */
  private void beside(Dependence edge, int column, int fromY, int toY) {
    boolean left = edge.kind() == Dependence.Kind.CHANGES;
    int x = left ? column : column + BOX_WIDTH;
    int bulge = Math.min(MAX_BULGE, 14 + Math.abs(toY - fromY) / 4);
    int far = left ? x - bulge : x + bulge;
    path(
        edge,
        "M%d %d C%d %d %d %d %d %d".formatted(x, fromY + 4, far, fromY, far, toY, x, toY - 4));
  }

  private void curve(Dependence edge, int fromX, int fromY, int toX, int toY) {
    int half = (fromX + toX) / 2;
    path(
        edge,
        "M%d %d C%d %d %d %d %d %d".formatted(fromX, fromY, half, fromY, half, toY, toX, toY));
  }

  private void path(Dependence edge, String d) {
    svg.add(
        "<path d=\"%s\" marker-end=\"url(#%s)\" %s><title>%s</title></path>",
        d,
        edge.kind().name().toLowerCase(Locale.ROOT),
        stroke(edge.kind()),
        Svg.escaped(title(edge.from()) + " → " + title(edge.to()) + ": " + edge.kind().text()));
  }

  private static String title(@Nullable Entry entry) {
    return entry == null ? "call" : Dependences.place(entry);
  }

  private static String stroke(Dependence.Kind kind) {
    String dashes =
        switch (kind) {
          case CHANGES, DATA -> "";
          case ORDER -> " stroke-dasharray=\"5 3\"";
          case ENABLES -> " stroke-dasharray=\"2 3\"";
        };
    return "fill=\"none\" stroke-width=\"1.4\" stroke=\"%s\"%s".formatted(color(kind), dashes);
  }

  private static String color(Dependence.Kind kind) {
    return switch (kind) {
      case CHANGES -> "#c0392b";
      case DATA -> "#1f5fa8";
      case ORDER -> "#888888";
      case ENABLES -> "#2d8a4e";
    };
  }

  private static String shortened(String text) {
    return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT - 1) + "…";
  }
}
