package dev.bluebell.cli.conformance;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.cli.command.CliCommand;
import dev.bluebell.cli.command.DeviceOption;
import dev.bluebell.cli.output.JsonLines;
import dev.bluebell.cli.output.Progress;
import dev.bluebell.hca.Hca;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bluebell conformance}: runs the tests that every device must pass. */
@Command(
    name = "conformance",
    header = "Run the tests that any device must pass.",
    description = {
      "Runs the conformance tests on a device, software or a card, and prints a line for each class"
          + " of tests. A test that needs a capability that the device lacks is skipped, with the"
          + " reason.",
      "Without --only, it then asks the device what public sources leave open, and prints its"
          + " answers. No answer is wrong.",
      "--json writes a report of everything to a file: the device, its firmware and capabilities,"
          + " the machine, each test and each answer. Messages of failed tests and the name of the"
          + " device may contain GIDs, addresses or paths: read it before you publish it.",
      "The exit code is 1 if a test failed or no test ran."
    })
public final class ConformanceCommand extends CliCommand {
  @Mixin private DeviceOption device = new DeviceOption();

  @Option(
      names = "--only",
      paramLabel = "TEST",
      description =
          "Run the tests of a class, such as AtomicTest, or one test, such as"
              + " AtomicTest.additionsOfTwoQueuePairsAreAllCounted; * stands for anything. May be"
              + " repeated.")
  private List<String> only = new ArrayList<>();

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write a report to a file, as one JSON object.")
  private @Nullable Path json;

  @Option(
      names = "--questions",
      description =
          "Run no tests. Ask the device questions about inferred rows of the machine model, which"
              + " public sources do not answer, and print its answers beside those of the software"
              + " ConnectX.")
  private boolean questions;

  @Override
  public Integer call() throws IOException {
    if (questions && !only.isEmpty()) {
      throw wrongUsage("--questions runs no tests, so leave --only out");
    }
    DeviceFacts facts = facts();
    if (json != null) {
      // Fails before the tests if the file can't be written.
      Path unused =
          Files.writeString(json, "", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
    out().println(facts.text());
    out().println();
    out().flush();
    ObjectNode report = JsonLines.object().put("report", "bluebell conformance");
    report.put("bluebell", version());
    facts.addTo(report);
    boolean good = true;
    try (Progress progress = new Progress(err())) {
      if (questions) {
        ask(facts, progress, report);
      } else {
        good = test(facts, progress, report);
      }
    }
    if (json != null) {
      JsonLines.writeDocument(json, report);
      out().println("The report is in %s.".formatted(json));
    }
    return good ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private void ask(DeviceFacts facts, Progress progress, ObjectNode report) {
    QuestionText text = new QuestionText(out(), progress);
    text.ask(facts.name());
    text.addTo(report.putArray("questions"));
  }

  private boolean test(DeviceFacts facts, Progress progress, ObjectNode report) {
    ConformanceText text = new ConformanceText(out(), progress);
    new Suite(facts.name(), facts.loses(), only).run(text);
    if (text.cases().isEmpty()) {
      throw wrongUsage(
          "no test has the name %s: give --only a class such as AtomicTest, or *Atomic*"
              .formatted(String.join(" or ", only)));
    }
    text.summarize();
    text.addTo(report);
    if (only.isEmpty()) {
      out().println();
      ask(facts, progress, report);
    }
    return text.isGood();
  }

  private DeviceFacts facts() {
    try (Hca hca = device.openHca()) {
      return DeviceFacts.of(device.name(), hca);
    }
  }
}
