package dev.bluebell.cli.program;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.cli.command.CliCommand;
import dev.bluebell.cli.command.OutputFile;
import dev.bluebell.cli.output.JsonLines;
import dev.bluebell.cli.output.Style;
import dev.bluebell.program.Listing;
import dev.bluebell.program.Program;
import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.offload.Offload;
import dev.bluebell.program.plan.Assembly;
import dev.bluebell.program.plan.Cost;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bluebell program explain}. */
@Command(
    name = "explain",
    header = "What a program does, how it is compiled, and what it costs.",
    description = {
      "Shows a program's statements, the WQEs that they are compiled to, which WQE must write"
          + " before which, and what the program costs on each kind of device.",
      "",
      "Costs are counted for one call, including all WQEs that conditions may skip: C copies (READ,"
          + " WRITE, SEND), A atomics, E WAITs and SEND_ENs."
    })
final class ExplainCommand extends CliCommand {
  private static final long SEED = 1;

  @Mixin private PlanOption option = new PlanOption();

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Option(
      names = "--svg",
      paramLabel = "FILE",
      description = "Also draw the dependences: which WQE changes, feeds or enables which.")
  private @Nullable Path svg;

  @Override
  public Integer call() {
    Offload offload = option.offload();
    Program program = offload.example(SEED).program();
    Plan plan = option.compile(program);
    if (svg != null) {
      String title = "%s, %s, %s model".formatted(offload.name(), option.target(), option.model());
      new OutputFile("picture", svg).write(Picture.of(plan, title).getBytes(UTF_8));
    }
    if (json) {
      json().write(object(offload, program, plan));
    } else {
      print(offload, program, plan);
    }
    return ExitCode.OK;
  }

  private void print(Offload offload, Program program, Plan plan) {
    out().println(offload.name() + ": " + offload.sentence());
    section("Program", Listing.of(program).lines().toList());
    section(
        "WQEs, %s, %s model; a call of %d bytes"
            .formatted(option.target(), option.model(), plan.messageBytes()),
        Assembly.of(plan).lines().toList());
    section("Dependences", Dependences.of(plan));
    section("Costs", List.of());
    for (Target target : Target.values()) {
      for (Model model : Model.values()) {
        out()
            .println(
                "  %-10s%-14s%s"
                    .formatted(target, model, Cost.of(Compiler.compile(program, target, model))));
      }
    }
    out().flush();
  }

  private void section(String title, List<String> lines) {
    out().println();
    out().println(Style.heading(title));
    lines.forEach(line -> out().println("  " + line.stripTrailing()));
  }

  private ObjectNode object(Offload offload, Program program, Plan plan) {
    ObjectNode object =
        JsonLines.object()
            .put("name", offload.name())
            .put("sentence", offload.sentence())
            .put("target", option.target().toString())
            .put("model", option.model().toString())
            .put("messageBytes", plan.messageBytes());
    Listing.of(program).lines().forEach(object.putArray("program")::add);
    Assembly.of(plan).lines().map(String::stripTrailing).forEach(object.putArray("wqes")::add);
    Dependences.of(plan).forEach(object.putArray("dependences")::add);
    ArrayNode costs = object.putArray("costs");
    for (Target target : Target.values()) {
      for (Model model : Model.values()) {
        Cost cost = Cost.of(Compiler.compile(program, target, model));
        costs
            .addObject()
            .put("target", target.toString())
            .put("model", model.toString())
            .put("copies", cost.copies())
            .put("atomics", cost.atomics())
            .put("waits", cost.waits())
            .put("enables", cost.enables())
            .put("wqebbs", cost.wqebbs());
      }
    }
    return object;
  }
}
