package dev.bluebell.lab.paper;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.cli.command.CliCommand;
import dev.bluebell.cli.output.JsonLines;
import dev.bluebell.cli.output.Style;
import dev.bluebell.lab.paper.ConstructCosts.Compilation;
import dev.bluebell.softnic.option.Timing;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** {@code lab paper}. */
@Command(
    name = "paper",
    header = "RedN's figures beside those that virtual time predicts.",
    description = {
      "Executes what the RedN paper (NSDI 2022) measured on its ConnectX-5, on the software"
          + " ConnectX in virtual time, and prints each figure of the paper beside the prediction:"
          + " the tables of docs/nic-programs.md. Nothing is measured.",
      "",
      "\"paper's READ + difference\" is the prediction with the READs of the paper's own client in"
          + " place of the predicted ones. Figures to which a constant was fitted say so."
    })
public final class PaperCommand extends CliCommand {
  @Option(
      names = "--table",
      paramLabel = "TEXT",
      description = "Only the tables whose titles contain TEXT, in upper or lower case.")
  private String wanted = "";

  @Option(names = "--json", description = "Print one JSON object for each figure.")
  private boolean json;

  @Override
  public Integer call() {
    List<Table> tables = Paper.tables().stream().filter(table -> isWanted(table.title())).toList();
    boolean costs = isWanted(ConstructCosts.TITLE);
    if (tables.isEmpty() && !costs) {
      throw wrongUsage(
          "--table %s: no title contains it; 'lab paper' prints all".formatted(wanted));
    }
    tables.forEach(this::show);
    if (costs) {
      show(ConstructCosts.all(Timing.CONNECTX5));
    }
    return ExitCode.OK;
  }

  private boolean isWanted(String title) {
    return title.toLowerCase(Locale.ROOT).contains(wanted.toLowerCase(Locale.ROOT));
  }

  private void show(Table table) {
    List<Table.Result> results = table.predict(Timing.CONNECTX5);
    if (json) {
      for (int i = 0; i < results.size(); i++) {
        write(table, table.figures().get(i), results.get(i));
      }
    } else {
      print(table.title(), table.lines(results));
    }
  }

  private void show(List<Compilation> costs) {
    if (json) {
      costs.forEach(this::write);
    } else {
      print(ConstructCosts.TITLE, ConstructCosts.lines(costs));
    }
  }

  private void print(String title, List<String> lines) {
    out().println(Style.heading(title));
    lines.forEach(out()::println);
    out().println();
    out().flush();
  }

  private void write(Table table, Figure figure, Table.Result result) {
    ObjectNode object =
        JsonLines.object()
            .put("table", table.title())
            .put("figure", figure.name())
            .put("unit", figure.unit())
            .put("paper", figure.paper())
            .put("predicted", result.predicted())
            .put("ratio", result.predicted() / figure.paper());
    if (figure.added() != null) {
      object
          .put("onPaper", result.onPaper())
          .put("onPaperRatio", result.onPaper() / figure.paper())
          .put("fitted", figure.fitted());
    }
    figure.constants().stream().sorted().map(Enum::name).forEach(object.putArray("constants")::add);
    json().write(object);
  }

  private void write(Compilation each) {
    ObjectNode object =
        JsonLines.object()
            .put("table", ConstructCosts.TITLE)
            .put("construct", each.construct())
            .put("paper", each.paper())
            .put("target", each.target().toString())
            .put("model", each.model().toString())
            .put("copies", each.cost().copies())
            .put("atomics", each.cost().atomics())
            .put("waits", each.cost().waits())
            .put("enables", each.cost().enables());
    if (!Double.isNaN(each.rate())) {
      object.put("rate", each.rate());
    }
    json().write(object);
  }
}
