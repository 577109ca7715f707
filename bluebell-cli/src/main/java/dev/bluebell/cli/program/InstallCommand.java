package dev.bluebell.cli.program;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.cli.command.CliCommand;
import dev.bluebell.cli.output.JsonLines;
import dev.bluebell.program.Program;
import dev.bluebell.program.install.Installation;
import dev.bluebell.program.install.SharedData;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.QueuePairEndpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bluebell program install}. */
@Command(
    name = "install",
    header = "Install a program on a device process, for clients that connect later.",
    description = {
      "Installs a program for many calls on the device of 'bluebell serve', with random tables, and"
          + " hands it over to the device process. There it answers clients of 'bluebell program"
          + " call', without a host process of its own.",
      "",
      "All clients share all tables. If the program writes and reads a table other than by atomics,"
          + " as turing does, its clients must call one after another: calls at the same time"
          + " change each other's values.",
      "",
      "Prints a token, by which 'bluebell program remove' and 'diagnose' recognize its owner."
    })
final class InstallCommand extends CliCommand {
  private static final int MAX_SEATS = 32;

  /** How many seeds are tried: a program may have an answer with none. */
  private static final int MAX_SEEDS = 100;

  @Mixin private PlanOption option = new PlanOption();

  @Option(
      names = {"-d", "--device"},
      paramLabel = "socket:PATH",
      required = true,
      description = "The device of 'bluebell serve'.")
  private String device = "";

  @Option(
      names = "--as",
      paramLabel = "RESIDENT",
      description = "Its name there. Default: the program's name.")
  private @Nullable String resident;

  @Option(
      names = "--seats",
      paramLabel = "N",
      description =
          "Number of clients: each has queues of its own, and all share the same tables. Default:"
              + " ${DEFAULT-VALUE}.",
      defaultValue = "4")
  private int seats;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description =
          "Seed of the random tables. Default: the first from 1 on with which a call has an"
              + " answer, or 1.")
  private @Nullable Long seed;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Override
  public Integer call() {
    if (seats < 1 || seats > MAX_SEATS) {
      throw wrongUsage("--seats %d: give 1 to %d".formatted(seats, MAX_SEATS));
    }
    long tablesSeed = seed == null ? answeredSeed() : seed;
    Program program = option.offload().example(tablesSeed).program();
    String name = resident == null ? option.offload().name() : resident;
    long token;
    try (Residence residence = new Residence(device, commandLine())) {
      Device at = residence.device();
      token = at.handOver(name, install(at, program, tablesSeed).text());
    }
    if (json) {
      ObjectNode object =
          JsonLines.object()
              .put("name", name)
              .put("service", option.offload().name())
              .put("seats", seats)
              .put("token", Long.toHexString(token));
      json().write(object);
    } else {
      out().println("%s has %d seats, token %x".formatted(name, seats, token));
    }
    out().flush();
    return ExitCode.OK;
  }

  private long answeredSeed() {
    return LongStream.rangeClosed(1, MAX_SEEDS)
        .filter(next -> !option.offload().example(next).answers().apply(Map.of()).isEmpty())
        .findFirst()
        .orElse(1);
  }

  /** Closes nothing: all objects are handed over. */
  private Notice install(Device at, Program program, long tablesSeed) {
    Plan plan = option.compileForMany(program);
    ProtectionDomain domain = at.allocateProtectionDomain();
    // Clients name addresses in all of the tables, so each seat has the same ones. All data is
    // named
    // since allocate refuses to share some programs' data unnamed; the help has a warning instead.
    SharedData tables = SharedData.allocate(domain, List.of(plan), program.data());
    List<QueuePairEndpoint> free = new ArrayList<>();
    for (int seat = 0; seat < seats; seat++) {
      Installation installation = Installation.install(at, domain, plan, tables);
      installation.start();
      free.add(installation.endpoint());
    }
    Map<String, Long> addresses = new TreeMap<>();
    program
        .data()
        .forEach(data -> addresses.put(data.name(), tables.region(data.name()).address()));
    return new Notice(
        option.offload().name(), tablesSeed, option.target(), option.model(), free, addresses);
  }
}
