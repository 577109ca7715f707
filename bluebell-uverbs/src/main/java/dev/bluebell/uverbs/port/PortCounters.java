package dev.bluebell.uverbs.port;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.Field;
import dev.bluebell.hca.command.QueryQCounterIn;
import dev.bluebell.hca.command.QueryVportCounterIn;
import dev.bluebell.hca.command.View;
import dev.bluebell.uverbs.call.Errno;
import dev.bluebell.uverbs.call.Refusal;

/**
 * What the counters of a device's port are now. Mirrors {@code mlx5_ib mad.c: pma_cnt_ext_assign}
 * and {@code counters.c: mlx5_ib_query_q_counters}.
 */
public final class PortCounters {
  private static final int BYTES_OF_DATA_UNIT = 4;

  private PortCounters() {}

  /**
   * Reads one.
   *
   * @param name of its file
   * @throws Refusal when the port has no such counter
   */
  public static long read(Hca hca, int port, String name) {
    PortCounter counter =
        PortCounter.named(name)
            .filter(known -> port == 1)
            .orElseThrow(
                () ->
                    new Refusal(Errno.ENOENT, "port %d has no counter '%s'".formatted(port, name)));
    Field field = counter.field();
    if (field == null) {
      return 0;
    }
    long value = View.over(hca.execute(query(counter))).get(field);
    return switch (counter) {
      case PORT_XMIT_DATA, PORT_RCV_DATA -> value / BYTES_OF_DATA_UNIT;
      default -> value;
    };
  }

  private static byte[] query(PortCounter counter) {
    return counter.source() == PortCounter.Source.TRAFFIC
        ? View.command(QueryVportCounterIn.STRUCTURE, CommandOpcode.QUERY_VPORT_COUNTER).bytes()
        : View.command(QueryQCounterIn.STRUCTURE, CommandOpcode.QUERY_Q_COUNTER).bytes();
  }
}
