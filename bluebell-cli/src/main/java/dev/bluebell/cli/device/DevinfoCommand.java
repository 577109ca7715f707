package dev.bluebell.cli.device;

import dev.bluebell.cli.command.CliCommand;
import dev.bluebell.cli.command.DeviceOption;
import dev.bluebell.hca.Hca;
import dev.bluebell.softnic.option.Profile;
import dev.bluebell.verbs.Device;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bluebell devinfo}: prints the capabilities of a device. */
@Command(
    name = "devinfo",
    header = "What a device can do, in the format of ibv_devinfo.",
    description = {
      "Prints what a device can do, in the format of 'ibv_devinfo -v', with the values that"
          + " rdma-core applications see. After num_comp_vectors come capabilities of mlx5 that"
          + " ibv_devinfo does not print."
    })
public final class DevinfoCommand extends CliCommand {
  @Mixin private DeviceOption device = new DeviceOption();

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Option(
      names = "--diff",
      paramLabel = "PROFILE",
      description =
          "Print where the device differs from the profile of a card: connectx5, connectx6dx,"
              + " connectx7 or bluefield3.")
  private @Nullable String diff;

  @Override
  public Integer call() {
    return diff == null ? describe() : compare(profile(diff));
  }

  private Profile profile(String name) {
    try {
      return Profile.named(name);
    } catch (IllegalArgumentException e) {
      throw wrongUsage(
          "there is no profile '%s': choose one of %s"
              .formatted(name, String.join(", ", Profile.names())));
    }
  }

  private int compare(Profile profile) {
    try (Hca hca = device.openHca()) {
      ProfileDiff found = ProfileDiff.of(profile, hca);
      if (json) {
        json().write(found.toJson(device.name()));
      } else {
        found.print(device.name(), out());
      }
    }
    return ExitCode.OK;
  }

  private int describe() {
    Hca hca = device.openHca();
    try (Device opened = Device.over(hca)) {
      DeviceInfo info = DeviceInfo.of(opened, hca);
      if (json) {
        json().write(info.toJson());
      } else {
        new DevinfoText(out()).print(info);
      }
    }
    return ExitCode.OK;
  }
}
