package dev.bluebell.cli;

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
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/** The command itself, which does nothing without a subcommand. */
@Command(
    name = "bluebell",
    description = "ConnectX (mlx5) RDMA for Java, with the hardware in the box.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    scope = ScopeType.INHERIT,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:good", "1:the work failed", "2:wrong usage"},
    subcommands = {
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
      DistCommand.class,
      CompletionCommand.class,
      ManualCommand.class
    })
final class BluebellCommand extends RootCommand {}
