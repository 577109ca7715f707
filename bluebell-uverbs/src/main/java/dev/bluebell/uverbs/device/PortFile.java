package dev.bluebell.uverbs.device;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.counter.PortCounter;
import dev.bluebell.hca.counter.PortCounters;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.DeviceAbi.QueryPortResp;
import dev.bluebell.hca.uverbs.DeviceAbi.QueryPortRespEx;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.uverbs.call.Refusal;

/** Current contents of those files of a port in sysfs that change: its states and its counters. */
public final class PortFile {
  private PortFile() {}

  /**
   * Reads a state, as {@code ib_verbs.h: ib_port_state} or {@code ib_port_phys_state}, or a
   * counter.
   *
   * @param name of the file
   * @throws Refusal when the port has no such file
   */
  public static long read(Hca hca, int port, String name) {
    return switch (name) {
      case "state" -> state(hca, port).getInt(QueryPortResp.STATE);
      case "phys_state" -> state(hca, port).getInt(QueryPortResp.PHYS_STATE);
      default ->
          PortCounter.named(name)
              .filter(known -> port == 1)
              .map(counter -> PortCounters.read(hca::execute, counter))
              .orElseThrow(
                  () ->
                      new Refusal(
                          Errno.ENOENT, "port %d has no counter '%s'".formatted(port, name)));
    };
  }

  private static View state(Hca hca, int port) {
    return DeviceQueries.port(hca, port).at(QueryPortRespEx.LEGACY_RESP);
  }
}
