package dev.bluebell.cli.program;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Names a program that is installed on a device process. */
final class ResidentOption {
  @Spec(Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Parameters(
      paramLabel = "RESIDENT",
      description = "Its name; 'bluebell program list --device socket:PATH' lists all.")
  private String resident = "";

  @Option(
      names = {"-d", "--device"},
      paramLabel = "socket:PATH",
      required = true,
      description = "The device of 'bluebell serve'.")
  private String device = "";

  String name() {
    return resident;
  }

  /**
   * Opens the device of the program.
   *
   * @throws ParameterException when there is no such device, or an option of it is wrong
   */
  Residence open() {
    return new Residence(device, Objects.requireNonNull(spec).commandLine());
  }
}
