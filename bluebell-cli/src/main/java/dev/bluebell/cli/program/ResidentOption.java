package dev.bluebell.cli.program;

import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Names a program that is installed on a device process. */
final class ResidentOption {
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

  /** Opens the device of the program. */
  Residence open() {
    return new Residence(device);
  }
}
