package dev.bluebell.hca.counter;

import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CounterCommands.QueryCongStatisticsIn;
import dev.bluebell.hca.command.CounterCommands.QueryQCounterIn;
import dev.bluebell.hca.command.CounterCommands.QueryVportCounterIn;
import dev.bluebell.hca.command.VportCommands.MadIfcIn;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.View;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Reads the counters of a device's port. Mirrors {@code mlx5_ib mad.c: pma_cnt_ext_assign} and
 * {@code counters.c: mlx5_ib_query_q_counters}. Thread-safe.
 */
public final class PortCounters {
  private static final int BYTES_OF_WORD = 4;

  private PortCounters() {}

  /**
   * Reads one counter.
   *
   * @param execute executes a command
   */
  public static long read(UnaryOperator<byte[]> execute, PortCounter counter) {
    return counter.field() == null ? 0 : value(counter, query(execute, counter.source()));
  }

  /**
   * Reads all counters, in the order of their declaration. Those of one source are read at the same
   * moment.
   *
   * @param execute executes a command
   */
  public static Map<PortCounter, Long> read(UnaryOperator<byte[]> execute) {
    Map<PortCounter.Source, View> answers = new EnumMap<>(PortCounter.Source.class);
    Map<PortCounter, Long> all = new EnumMap<>(PortCounter.class);
    for (PortCounter counter : PortCounter.values()) {
      View out = answers.computeIfAbsent(counter.source(), source -> query(execute, source));
      all.put(counter, value(counter, out));
    }
    return all;
  }

  private static View query(UnaryOperator<byte[]> execute, PortCounter.Source source) {
    View command =
        switch (source) {
          case TRAFFIC ->
              View.command(QueryVportCounterIn.STRUCTURE, CommandOpcode.QUERY_VPORT_COUNTER);
          case LINK ->
              View.command(MadIfcIn.STRUCTURE, CommandOpcode.MAD_IFC)
                  .set(MadIfcIn.PORT, 1)
                  .setBytes(MadIfcIn.MAD, PerformanceMad.get());
          case QUEUES -> View.command(QueryQCounterIn.STRUCTURE, CommandOpcode.QUERY_Q_COUNTER);
          case CONGESTION ->
              View.command(QueryCongStatisticsIn.STRUCTURE, CommandOpcode.QUERY_CONG_STATISTICS);
        };
    return View.over(execute.apply(command.bytes()));
  }

  private static long value(PortCounter counter, View out) {
    Field field = counter.field();
    if (field == null) {
      return 0;
    }
    long value = out.get(field);
    return counter.countsWords() ? value / BYTES_OF_WORD : value;
  }
}
