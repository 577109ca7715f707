package dev.bluebell.lab.paper;

import dev.bluebell.softnic.option.Timing;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * A table of figures, in Markdown.
 *
 * @param title its title
 * @param form its columns
 */
public record Table(String title, Form form, List<Figure> figures) {

  private static final double TENFOLD = 10;

  /** The columns of a table. */
  public enum Form {
    /** Paper and prediction, with the constants that this depends on. */
    CONSTANTS("| figure | paper | predicted | ratio | constants |", 5),
    /** Paper and prediction, and the prediction with the paper's own READs. */
    READS("| µs | paper | predicted | ratio | paper's READ + difference | ratio |", 6);

    private final String head;
    private final int columns;

    Form(String head, int columns) {
      this.head = head;
      this.columns = columns;
    }
  }

  /**
   * The prediction of a figure by virtual time.
   *
   * @param onPaper prediction with the paper's own READs; NaN when there is no READ to replace
   */
  public record Result(double predicted, double onPaper) {}

  /** Predicts all figures. */
  public List<Result> predict(Timing timing) {
    return figures.stream().map(figure -> predict(figure, timing)).toList();
  }

  private static Result predict(Figure figure, Timing timing) {
    double predicted = figure.predicted().applyAsDouble(timing);
    ToDoubleFunction<Timing> added = figure.added();
    return new Result(
        predicted, added == null ? Double.NaN : predicted + added.applyAsDouble(timing));
  }

  /**
   * The lines of the table.
   *
   * @param results results of {@link #predict}
   */
  public List<String> lines(List<Result> results) {
    List<String> lines = new ArrayList<>();
    lines.add(form.head);
    lines.add("|---".repeat(form.columns) + "|");
    for (int i = 0; i < figures.size(); i++) {
      lines.add(line(figures.get(i), results.get(i)));
    }
    return lines;
  }

  private String line(Figure figure, Result result) {
    List<String> cells = new ArrayList<>();
    cells.add(figure.name());
    boolean constants = form == Form.CONSTANTS;
    cells.add(text(figure.paper()) + (constants ? " " + figure.unit() : ""));
    cells.add(text(result.predicted));
    cells.add(ratio(result.predicted / figure.paper()));
    if (constants) {
      cells.add(
          figure.constants().stream().sorted().map(Enum::name).collect(Collectors.joining(", ")));
    } else if (Double.isNaN(result.onPaper)) {
      cells.add("");
      cells.add("");
    } else {
      cells.add(text(result.onPaper));
      cells.add(figure.fitted() ? "fitted" : ratio(result.onPaper / figure.paper()));
    }
    return row(cells);
  }

  /** A row of a table. */
  static String row(List<String> cells) {
    return cells.stream()
        .map(cell -> cell.isEmpty() ? " |" : " " + cell + " |")
        .collect(Collectors.joining("", "|", ""));
  }

  private static String ratio(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  /** Formats a value for a table. */
  static String text(double value) {
    return String.format(
        Locale.ROOT, value < 1 ? "%.3f" : value < TENFOLD ? "%.2f" : "%.1f", value);
  }
}
