package dev.bluebell.cli.program;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.cli.command.CliCommand;
import dev.bluebell.cli.command.OutputFile;
import dev.bluebell.cli.command.WorkFailed;
import dev.bluebell.cli.output.JsonLines;
import dev.bluebell.cli.output.Style;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.offload.Offload;
import dev.bluebell.program.offload.Offloads;
import dev.bluebell.program.plan.ImageBuilder;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Placement;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.verifier.Analysis;
import dev.bluebell.verifier.ChainText;
import dev.bluebell.verifier.Event;
import dev.bluebell.verifier.FailingOrder;
import dev.bluebell.verifier.Rules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bluebell program verify}. */
@Command(
    name = "verify",
    header =
        "Proves that a chain of WQEs gives one result in every order, or shows an order that"
            + " fails.",
    description = {
      "Takes a program of 'bluebell program list', or a file that holds a chain of WQEs as text."
          + " Prints 'proved' if the result is the same in every order that the rules allow;"
          + " otherwise the WQE and queue that break it, and an order in which it fails. For a"
          + " proved chain, it also names each WAIT, SEND_EN and fence that is superfluous by"
          + " itself; for any other chain, the smallest set of at most three fences with which"
          + " it is proved.",
      "",
      "A chain is 'memory NAME key=K address=A bytes=N' lines, 'relies NAME' lines for what the"
          + " application uses, and 'queue NAME qpn=N' lines with"
          + " the queue's entries below, as 'bluebell encode' takes them: docs/verification.md."
    })
final class VerifyCommand extends CliCommand {
  private static final int MAX_REQUESTS = 200_000;

  /** Longer orders are printed only in part. */
  private static final int MAX_EVENTS = 40;

  @Parameters(paramLabel = "NAME|FILE", description = "A program, or a file with a chain.")
  private String name = "";

  @Mixin private TargetOption option = new TargetOption();

  @Option(
      names = "--many-calls",
      description = "Verify the program as it is compiled for any number of calls.")
  private boolean manyCalls;

  @Option(
      names = "--out-of-order",
      description =
          "Assume that the payload of WRITEs and long SENDs is placed in any order, as with relaxed"
              + " ordering or out-of-order placement.")
  private boolean outOfOrder;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Option(
      names = "--svg",
      paramLabel = "FILE",
      description = "Also draw the order in which the chain fails, if one is found.")
  private @Nullable Path svg;

  /** True when the chain has memory with unknown contents, which orders are tried with zeros in. */
  private boolean triesZeros;

  @Override
  public Integer call() {
    Analysis analysis = analysis();
    if (analysis.isProved() && analysis.verdict().requests() == 0) {
      throw new WorkFailed("%s has no requests, so there is nothing to prove".formatted(name));
    }
    if (svg != null) {
      draw(analysis, svg);
    }
    if (json) {
      json().write(object(analysis));
    } else {
      print(analysis);
    }
    return analysis.isProved() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private void draw(Analysis analysis, Path file) {
    if (analysis.failure().isEmpty()) {
      err().println("bluebell: %s was not written: there is no failing order".formatted(file));
      err().flush();
      return;
    }
    String picture = OrderPicture.of(analysis.failure().get(), analysis.refusals(), name);
    new OutputFile("picture", file).write(picture.getBytes(UTF_8));
  }

  private Analysis analysis() {
    Rules inOrder = new Rules(option.model() == Model.ASSUMED, option.target() == Target.CHECKED);
    Rules rules = outOfOrder ? inOrder.outOfOrder() : inOrder;
    Optional<Offload> offload = Offloads.named(name);
    if (offload.isPresent()) {
      Plan plan =
          manyCalls
              ? option.compileForMany(offload.get().example(1).program())
              : option.compile(offload.get().example(1).program());
      return Analysis.of(
          ImageBuilder.build(plan, Placement.example(plan)),
          rules,
          ImageBuilder.dataRegions(plan),
          MAX_REQUESTS);
    }
    ChainText chain = read(Path.of(name));
    if (manyCalls) {
      throw wrongUsage(
          "--many-calls is for programs, and %s is a chain: leave it out".formatted(name));
    }
    triesZeros = !chain.unknown().isEmpty();
    return Analysis.of(chain, rules, MAX_REQUESTS);
  }

  private ChainText read(Path file) {
    if (!Files.exists(file) || Files.isDirectory(file)) {
      throw wrongUsage(
          "%s is neither a program nor a file: 'bluebell program list' lists the programs; for a program of your own, use Analysis.of in Java (docs/verification.md, 'From an installer')"
              .formatted(name));
    }
    try {
      return ChainText.parse(Files.readString(file));
    } catch (IOException e) {
      throw new WorkFailed("%s can't be read: name a text file".formatted(file));
    } catch (IllegalArgumentException e) {
      throw new WorkFailed("%s, %s".formatted(file, e.getMessage()));
    }
  }

  private void print(Analysis analysis) {
    if (analysis.isProved()) {
      out()
          .println(
              "%s: %s gives the same result in every order that the rules allow (requests: %d, paths: %d)"
                  .formatted(
                      Style.good("proved"),
                      name,
                      analysis.verdict().requests(),
                      analysis.verdict().paths()));
      analysis.superfluous().forEach(each -> out().println("superfluous: " + each.what()));
    } else {
      out().println("%s: %s".formatted(Style.bad("not proved"), name));
      analysis.refusals().forEach(each -> out().println("  " + each));
      analysis.missing().forEach(each -> out().println("missing: " + each));
      analysis
          .failure()
          .ifPresentOrElse(order -> print(order, analysis.refusals()), this::printNone);
      if (triesZeros) {
        out()
            .println(
                "Unknown contents (any=) were zeros in the orders that were tried: write content="
                    + " to try others.");
      }
    }
    out().flush();
  }

  /** Prints all events or, if there are many, those of the entries that the refusals name. */
  private void print(FailingOrder order, List<String> refusals) {
    out().println("An order in which it fails:");
    List<Event> events = order.events();
    boolean all = events.size() <= MAX_EVENTS;
    for (int i = 0; i < events.size(); i++) {
      Event event = events.get(i);
      if (all || refusals.stream().anyMatch(sentence -> sentence.contains(event.entry()))) {
        out().println("%4d. %s".formatted(i + 1, event));
      }
    }
    out().println(order.difference());
  }

  private void printNone() {
    out().println("No order that was tried gives another result.");
  }

  private ObjectNode object(Analysis analysis) {
    ObjectNode object =
        JsonLines.object()
            .put("name", name)
            .put("proved", analysis.isProved())
            .put("paths", analysis.verdict().paths())
            .put("requests", analysis.verdict().requests());
    analysis.refusals().forEach(object.putArray("refusals")::add);
    ArrayNode superfluous = object.putArray("superfluous");
    analysis
        .superfluous()
        .forEach(
            each ->
                superfluous
                    .addObject()
                    .put("what", each.what())
                    .put("queue", each.queue())
                    .put("index", each.index()));
    analysis.missing().forEach(object.putArray("missing")::add);
    ArrayNode order = object.putArray("order");
    analysis
        .failure()
        .ifPresent(
            failure -> {
              failure.events().forEach(event -> order.add(event.toString()));
              object.put("difference", failure.difference());
            });
    return object;
  }
}
