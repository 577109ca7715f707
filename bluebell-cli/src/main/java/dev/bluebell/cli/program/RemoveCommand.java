package dev.bluebell.cli.program;

import dev.bluebell.cli.command.CliCommand;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bluebell program remove}. */
@Command(
    name = "remove",
    header = "Remove a program that was handed over to a device process.",
    description =
        "Destroys the queues and the memory that a process handed over to a device process"
            + " (Device.handOver). Clients that are connected to them get no more answers. Needs"
            + " the owner's token, or --force.")
final class RemoveCommand extends CliCommand {
  @Mixin private ResidentOption resident = new ResidentOption();

  @ArgGroup(multiplicity = "1")
  private Right right = new Right();

  /** The alternatives, of which one is given. */
  static final class Right {
    @Option(
        names = "--token",
        paramLabel = "HEX",
        converter = OwnerToken.class,
        description =
            "The owner's token, which 'bluebell program install' prints and Device.handOver"
                + " returns.")
    private @Nullable Long token;

    @Option(names = "--force", description = "Remove it without the owner's token.")
    private boolean force;
  }

  @Override
  public Integer call() {
    try (Residence residence = resident.open()) {
      if (right.force) {
        residence.residents().forceRemove(resident.name());
      } else {
        residence.residents().remove(resident.name(), Objects.requireNonNull(right.token));
      }
    }
    return ExitCode.OK;
  }
}
