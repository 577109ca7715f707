package dev.bluebell.cli.perf;

import dev.bluebell.cli.command.DeviceOption;
import dev.bluebell.hca.text.Counted;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Warns when more threads run all the time than there are processors. */
final class Crowd {
  private Crowd() {}

  /**
   * The warning; empty if there are enough processors.
   *
   * @param device its name
   * @param twoProcesses whether the other side of the measurement is another process
   */
  static Optional<String> warning(String device, boolean twoProcesses, int processors) {
    List<String> threads = new ArrayList<>(List.of("this one"));
    if (twoProcesses) {
      threads.add("that of the other process");
    }
    boolean isOwn = DeviceOption.isSoft(device);
    if (isOwn ? !device.contains("engine=poll") : device.startsWith("socket:")) {
      threads.add("the device's");
    }
    return threads.size() <= processors
        ? Optional.empty()
        : Optional.of(
            "%d threads (%s) share %s, so the times include waits for a processor%s"
                .formatted(
                    threads.size(),
                    String.join(", ", threads),
                    Counted.of(processors, "processor"),
                    isOwn ? ": with --engine poll, one thread does all the work" : ""));
  }
}
