package dev.bluebell.cli.program;

import dev.bluebell.cli.trace.Svg;
import dev.bluebell.verifier.Event;
import dev.bluebell.verifier.FailingOrder;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A failing order as a picture (SVG): a column for each WQE, and a row for each event, in order
 * from top to bottom. Events on the memory that the first refusal names are marked.
 */
final class OrderPicture {
  private static final double ROW = 24;
  private static final double COLUMN = 150;
  private static final double LEFT = 50;
  private static final double TOP = 70;
  private static final double DOT = 5;
  private static final double CHARACTER = 6.4;
  private static final double NOTES = 560;
  private static final String INK = "#24292f";
  private static final String PALE = "#6e7781";
  private static final String ERROR = "#c62828";
  private static final Pattern MEMORY = Pattern.compile("(\\S+)\\+0x[0-9a-f]+");

  private OrderPicture() {}

  /**
   * Draws an order.
   *
   * @param refusals reasons why the chain is not proved
   */
  static String of(FailingOrder order, List<String> refusals, String title) {
    List<String> entries = order.events().stream().map(Event::entry).distinct().toList();
    String memory = memory(refusals);
    double width = LEFT + COLUMN * entries.size() + NOTES;
    double bottom = TOP + ROW * (order.events().size() + 1);
    Svg svg =
        new Svg()
            .add("<rect width=\"%.0f\" height=\"%.0f\" fill=\"#ffffff\"/>", width, bottom + 40)
            .text(LEFT, 24, "font-size=\"15\" fill=\"" + INK + "\"", title);
    for (String entry : entries) {
      double x = x(entries, entry);
      String name = entry.replaceFirst(" of queue \\S+", "");
      svg.text(x, TOP - 14, "font-size=\"12\" text-anchor=\"middle\" fill=\"" + INK + "\"", name);
      svg.add(
          "<path d=\"M%.1f %.1fV%.1f\" stroke=\"#d0d7de\" stroke-width=\"2\"/>",
          x, TOP - 6, bottom - ROW);
    }
    double notes = LEFT + COLUMN * entries.size();
    for (int i = 0; i < order.events().size(); i++) {
      Event event = order.events().get(i);
      double x = x(entries, event.entry());
      double y = TOP + ROW * i + ROW / 2;
      boolean marked = !memory.isEmpty() && event.what().contains(memory);
      String colour = marked ? ERROR : PALE;
      svg.add("<path d=\"M%.1f %.1fH%.1f\" stroke=\"#eaeef2\"/>", x + DOT, y, notes - CHARACTER);
      svg.add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\"/>", x, y, DOT, colour);
      String what = event.request().isEmpty() ? event.what() : event.request() + " " + event.what();
      svg.text(
          notes,
          y + 4,
          "font-size=\"12\" fill=\"" + (marked ? ERROR : INK) + "\"",
          "%d. %s".formatted(i + 1, what));
    }
    svg.text(LEFT, bottom + 14, "font-size=\"13\" fill=\"" + ERROR + "\"", order.difference());
    return svg.document(
        Math.max(width, LEFT + CHARACTER * order.difference().length()), bottom + 40, title);
  }

  private static double x(List<String> entries, String entry) {
    return LEFT + COLUMN * (entries.indexOf(entry) + 0.5);
  }

  /** The prefix of places in the memory that the first refusal names; empty if it names none. */
  private static String memory(List<String> refusals) {
    Matcher found = MEMORY.matcher(refusals.isEmpty() ? "" : refusals.getFirst());
    return found.find() ? found.group(1) + "+" : "";
  }
}
