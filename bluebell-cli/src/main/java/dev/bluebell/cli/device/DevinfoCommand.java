package dev.bluebell.cli.device;

import dev.bluebell.cli.CliCommand;
import dev.bluebell.cli.DeviceOption;
import dev.bluebell.hca.Hca;
import dev.bluebell.verbs.Device;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bluebell devinfo}: what a device can do. */
@Command(
    name = "devinfo",
    header = "What a device can do, as ibv_devinfo tells it.",
    description = {
      "Prints what a device can do, in the words and the form of 'ibv_devinfo -v'.",
      "",
      "Lines of ibv_devinfo that Bluebell has no value for are left out. After hca_core_clock come"
          + " capabilities of mlx5 that ibv_devinfo has no line for, or prints elsewhere."
    })
public final class DevinfoCommand extends CliCommand {
  @Mixin private DeviceOption device = new DeviceOption();

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Override
  public Integer call() {
    Hca hca = device.openHca();
    try (Device opened = Device.over(hca)) {
      DeviceInfo info = DeviceInfo.of(opened, Capabilities.of(hca));
      if (json) {
        json().write(info.toJson());
      } else {
        new DevinfoText(out()).print(info);
      }
    }
    return ExitCode.OK;
  }
}
