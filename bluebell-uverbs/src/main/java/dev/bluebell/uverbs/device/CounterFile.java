package dev.bluebell.uverbs.device;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.counter.PortCounter;
import dev.bluebell.hca.counter.PortCounters;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.uverbs.call.Refusal;

/** Current contents of the port counter files of sysfs. */
public final class CounterFile {
  private CounterFile() {}

  /**
   * Reads a counter.
   *
   * @param name of the file
   * @throws Refusal when the port has no such counter
   */
  public static long read(Hca hca, int port, String name) {
    return PortCounter.named(name)
        .filter(known -> port == 1)
        .map(counter -> PortCounters.read(hca::execute, counter))
        .orElseThrow(
            () -> new Refusal(Errno.ENOENT, "port %d has no counter '%s'".formatted(port, name)));
  }
}
