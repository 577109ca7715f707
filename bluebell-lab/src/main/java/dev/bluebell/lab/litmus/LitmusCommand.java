package dev.bluebell.lab.litmus;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.cli.command.CliCommand;
import dev.bluebell.cli.output.JsonLines;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** {@code lab litmus}. */
@Command(
    name = "litmus",
    header = "Litmus tests of processors and NICs, on a model and on the device.",
    description = {
      "Searches all results that the model of RDMA on TSO allows for each test of docs/litmus.md,"
          + " runs the test on the software ConnectX with adversary and reorder-memory, and prints"
          + " the table. The exit code is 1 if a result is seen that the model forbids, or if an"
          + " expected one is not seen."
    })
public final class LitmusCommand extends CliCommand {
  /**
   * Some results of random programs need rare orders, so only forbidden results are mistakes there.
   */
  private static final int SEEDS_OF_PROGRAM = 2;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      description = "Seeds of each test, ten runs each. Default: ${DEFAULT-VALUE}.",
      defaultValue = "100")
  private int seeds;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "The first seed. Default: ${DEFAULT-VALUE}.",
      defaultValue = "1")
  private long first;

  @Option(
      names = "--programs",
      paramLabel = "N",
      description = "Number of random programs to run, too. Default: ${DEFAULT-VALUE}.",
      defaultValue = "0")
  private int programs;

  @Option(names = "--json", description = "Print one JSON object for each test.")
  private boolean json;

  @Override
  public Integer call() {
    if (seeds < 1 || programs < 0) {
      throw wrongUsage("--seeds %d --programs %d: give 1 or more".formatted(seeds, programs));
    }
    List<Row> ordered = Row.of(Litmus.all(), false, first, seeds, seeds);
    List<Row> relaxed = Row.of(Row.relaxable(Litmus.all()), true, first, seeds, seeds);
    List<String> mistakes =
        Stream.of(ordered.stream(), relaxed.stream(), drawn())
            .flatMap(rows -> rows)
            .flatMap(row -> row.mistakes().stream())
            .toList();
    if (json) {
      Stream.concat(ordered.stream(), relaxed.stream()).forEach(row -> json().write(object(row)));
    } else {
      out().print(table(ordered, relaxed));
    }
    mistakes.forEach(err()::println);
    out().flush();
    return mistakes.isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private Stream<Row> drawn() {
    return LongStream.range(first, first + programs)
        .mapToObj(RandomLitmus::of)
        .flatMap(
            each ->
                Row.of(List.of(each), false, first, SEEDS_OF_PROGRAM, SEEDS_OF_PROGRAM).stream())
        .map(Row::ofSeen);
  }

  /** Both tables, in Markdown. */
  static String table(List<Row> ordered, List<Row> relaxed) {
    StringBuilder text = new StringBuilder(Row.HEAD);
    ordered.forEach(row -> text.append(row.line()));
    text.append("\nWith relaxed ordering, where it makes a difference:\n\n").append(Row.HEAD);
    relaxed.forEach(row -> text.append(row.line()));
    return text.toString();
  }

  private static ObjectNode object(Row row) {
    ObjectNode object =
        JsonLines.object()
            .put("test", row.litmus().name())
            .put("program", row.litmus().toString())
            .put("relaxed", row.relaxed())
            .put("runs", row.runs());
    row.allowed().forEach(object.putArray("allowed")::add);
    row.expected().forEach(object.putArray("expected")::add);
    row.seen().forEach(object.putArray("seen")::add);
    row.reasons().forEach(each -> object.withArray("reasons").add(each.row()));
    return object;
  }
}
