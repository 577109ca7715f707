package dev.bluebell.cli;

import dev.bluebell.cli.command.CliCommand;
import dev.bluebell.cli.command.RootCommand;
import dev.bluebell.cli.conformance.ConformanceCommand;
import dev.bluebell.cli.demo.DemoCommand;
import dev.bluebell.cli.demo.MuseumCommand;
import dev.bluebell.cli.device.DevinfoCommand;
import dev.bluebell.cli.device.DoctorCommand;
import dev.bluebell.cli.manual.CompletionCommand;
import dev.bluebell.cli.manual.ManualCommand;
import dev.bluebell.cli.perf.PerfCommand;
import dev.bluebell.cli.ping.PingCommand;
import dev.bluebell.cli.program.ProgramCommand;
import dev.bluebell.cli.share.RunCommand;
import dev.bluebell.cli.share.ServeCommand;
import dev.bluebell.cli.sources.DistCommand;
import dev.bluebell.cli.sources.JavaCommand;
import dev.bluebell.cli.stat.StatCommand;
import dev.bluebell.cli.text.DecodeCommand;
import dev.bluebell.cli.text.EncodeCommand;
import dev.bluebell.cli.trace.TraceCommand;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/** The root command, which does nothing without a subcommand. */
@Command(
    name = "bluebell",
    description = "ConnectX (mlx5) RDMA for Java: a driver and a software ConnectX.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    scope = ScopeType.INHERIT,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:good", "1:the work failed", "2:wrong usage"})
final class BluebellCommand extends RootCommand {
  private static final List<Class<? extends CliCommand>> COMMANDS =
      List.of(
          DemoCommand.class,
          MuseumCommand.class,
          DevinfoCommand.class,
          PerfCommand.class,
          PingCommand.class,
          ProgramCommand.class,
          RunCommand.class,
          ServeCommand.class,
          StatCommand.class,
          TraceCommand.class,
          DecodeCommand.class,
          EncodeCommand.class,
          DoctorCommand.class,
          ConformanceCommand.class,
          JavaCommand.class,
          DistCommand.class);

  /** Commands that describe all others. */
  private static final List<Class<? extends CliCommand>> MANUALS =
      List.of(CompletionCommand.class, ManualCommand.class);

  /** Options that print only the version: the standard ones of picocli. */
  private static final List<String> VERSION = List.of("--version", "-V");

  /** All subcommands. */
  static List<Class<? extends CliCommand>> all() {
    return Stream.concat(COMMANDS.stream(), MANUALS.stream()).toList();
  }

  /**
   * The subcommands that a command line needs: the one that it names, none for the version, or all
   * of them. Describing all of them to picocli takes longer than many commands run.
   */
  static List<Class<? extends CliCommand>> neededBy(String... args) {
    if (args.length == 1 && VERSION.contains(args[0])) {
      return List.of();
    }
    return COMMANDS.stream()
        .filter(command -> args.length > 0 && nameOf(command).equals(args[0]))
        .findFirst()
        .<List<Class<? extends CliCommand>>>map(List::of)
        .orElseGet(BluebellCommand::all);
  }

  private static String nameOf(Class<?> command) {
    return Objects.requireNonNull(command.getAnnotation(Command.class)).name();
  }
}
