package dev.bluebell.cli.program;

import dev.bluebell.cli.command.DeviceOption;
import dev.bluebell.hca.HcaResidents;
import dev.bluebell.verbs.Device;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** A device process on which programs stay installed. */
final class Residence implements AutoCloseable {
  private final Device device;
  private final HcaResidents residents;

  /**
   * @param name of a device process
   * @throws ParameterException when there is no such device, an option of it is wrong, or it ends
   *     with this process
   */
  Residence(String name, CommandLine command) {
    device = DeviceOption.open(name, command);
    HcaResidents found = device.residents().orElse(null);
    if (found == null) {
      device.close();
      throw new ParameterException(
          command,
          "device %s ends with this command; name a device process: --device socket:PATH"
              .formatted(name));
    }
    residents = found;
  }

  Device device() {
    return device;
  }

  HcaResidents residents() {
    return residents;
  }

  @Override
  public void close() {
    device.close();
  }
}
