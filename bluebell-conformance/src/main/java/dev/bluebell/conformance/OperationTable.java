package dev.bluebell.conformance;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The operations that each kind of connection supports. Tests and documentation are generated from
 * it.
 */
public final class OperationTable {

  /**
   * A cell of the table.
   *
   * @param verdict whether the operation is supported
   */
  public record Cell(ConnectionKind kind, Operation operation, Verdict verdict) {
    /** The capabilities that a device needs for this cell, as in {@link Needs}. */
    String[] needs() {
      return Stream.concat(kind.needs().stream(), operation.needs().stream())
          .toArray(String[]::new);
    }

    @Override
    public String toString() {
      return "%s · %s".formatted(kind, operation);
    }
  }

  private OperationTable() {}

  /**
   * True when the driver has stages for the operation exactly if the cell says so. Operations that
   * only concern data or receives have no stages of their own.
   */
  public static boolean fitsTheDriver(Cell cell) {
    String method = cell.operation().method();
    return method.isEmpty() || cell.kind().hasStages(method) == (cell.verdict() == Verdict.YES);
  }

  /** All cells, row by row. */
  public static Stream<Cell> cells() {
    return Arrays.stream(Operation.values())
        .flatMap(
            operation ->
                Arrays.stream(ConnectionKind.values())
                    .map(kind -> new Cell(kind, operation, operation.verdict(kind))));
  }

  /** The lines of the table in {@code docs/operations.md}. */
  public static List<String> markdown() {
    return Stream.concat(
            Stream.of(
                "| operation | %s | source |".formatted(columns()),
                "|---|" + "---|".repeat(ConnectionKind.values().length + 1)),
            Arrays.stream(Operation.values()).map(OperationTable::row))
        .toList();
  }

  private static String columns() {
    return Arrays.stream(ConnectionKind.values())
        .map(ConnectionKind::toString)
        .collect(Collectors.joining(" | "));
  }

  private static String row(Operation operation) {
    String verdicts =
        Arrays.stream(ConnectionKind.values())
            .map(kind -> operation.verdict(kind).toString())
            .collect(Collectors.joining(" | "));
    return "| %s | %s | %s |".formatted(operation, verdicts, operation.source());
  }
}
