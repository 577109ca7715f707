package dev.bluebell.cli.output;

import java.util.List;

/**
 * The spread of a figure.
 *
 * @param median the mean of the two middle values if their number is even
 */
public record Spread(double median, double least, double most) {

  /** The spread of one or more values, in any order. */
  public static Spread of(List<Double> figures) {
    List<Double> sorted = figures.stream().sorted().toList();
    int count = sorted.size();
    double median = (sorted.get((count - 1) / 2) + sorted.get(count / 2)) / 2;
    return new Spread(median, sorted.getFirst(), sorted.getLast());
  }
}
