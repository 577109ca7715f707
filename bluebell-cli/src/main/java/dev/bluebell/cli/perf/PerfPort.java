package dev.bluebell.cli.perf;

import dev.bluebell.cli.command.FabricLine;
import dev.bluebell.verbs.Device;

/**
 * The properties of the port that a measurement uses.
 *
 * @param mtu most bytes that a packet carries
 * @param lossy whether packets may get lost
 */
record PerfPort(int mtu, boolean lossy) {
  private static final int NUMBER = 1;

  static PerfPort of(Device device) {
    return new PerfPort(
        device.port(NUMBER).activeMtu(), FabricLine.of(device.diagnosis()).isPresent());
  }
}
