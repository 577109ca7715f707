package dev.bluebell.softnic.command;

import static dev.bluebell.softnic.command.CommandFailure.require;
import static dev.bluebell.softnic.command.CommandFailure.requireValid;

import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.CounterCommands.QueryCongStatisticsIn;
import dev.bluebell.hca.command.CounterCommands.QueryCongStatisticsOut;
import dev.bluebell.hca.command.CounterCommands.QueryQCounterIn;
import dev.bluebell.hca.command.CounterCommands.QueryQCounterOut;
import dev.bluebell.hca.command.CounterCommands.QueryVportCounterIn;
import dev.bluebell.hca.command.CounterCommands.QueryVportCounterOut;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.diagnosis.CongestionCounter;
import dev.bluebell.softnic.engine.Client;
import dev.bluebell.softnic.queue.Chip;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.stream.Stream;

/**
 * QUERY_VPORT_COUNTER, QUERY_Q_COUNTER and QUERY_CONG_STATISTICS. Clearing counters affects only
 * what the clearing client process reads: for other clients, nothing changes.
 */
final class CounterCommands {
  private static final List<Field> CONGESTION =
      Stream.of(CongestionCounter.values()).map(CongestionCounter::field).toList();

  private final Chip chip;

  // The counters at each client's last clear.
  private final Map<Client, View> clearedTraffic = new WeakHashMap<>();
  private final Map<Client, View> clearedQueues = new WeakHashMap<>();
  private final Map<Client, View> clearedCongestion = new WeakHashMap<>();

  CounterCommands(Chip chip) {
    this.chip = chip;
  }

  View queryTraffic(View in) {
    requireValid(
        !in.isSet(QueryVportCounterIn.OTHER_VPORT)
            && in.getInt(QueryVportCounterIn.VPORT_NUMBER) == 0,
        "vport_number %d: this device has only its own vport",
        in.getInt(QueryVportCounterIn.VPORT_NUMBER));
    return sinceCleared(
        QueryVportCounterOut.STRUCTURE,
        QueryVportCounterOut.STRUCTURE.fields(),
        chip.counters().traffic(),
        clearedTraffic,
        in.isSet(QueryVportCounterIn.CLEAR));
  }

  View queryQueues(View in) {
    require(
        in.getInt(QueryQCounterIn.COUNTER_SET_ID) == 0,
        CommandStatus.BAD_RES,
        "counter_set_id %d: all queue pairs count in set 0",
        in.getInt(QueryQCounterIn.COUNTER_SET_ID));
    return sinceCleared(
        QueryQCounterOut.STRUCTURE,
        QueryQCounterOut.STRUCTURE.fields(),
        chip.counters().queues(),
        clearedQueues,
        in.isSet(QueryQCounterIn.CLEAR));
  }

  View queryCongestion(View in) {
    return sinceCleared(
        QueryCongStatisticsOut.STRUCTURE,
        CONGESTION,
        chip.counters().congestion(),
        clearedCongestion,
        in.isSet(QueryCongStatisticsIn.CLEAR));
  }

  /** The counters as the client sees them: the difference since its last clear. */
  private View sinceCleared(
      Structure structure,
      List<Field> counters,
      View now,
      Map<Client, View> cleared,
      boolean clear) {
    Client client = chip.scheduler().client();
    View before = clear ? cleared.put(client, now) : cleared.get(client);
    if (before == null) {
      return now;
    }
    View out = View.of(structure);
    for (Field counter : counters) {
      long wrapped = -1L >>> Long.SIZE - counter.width();
      out.set(counter, now.get(counter) - before.get(counter) & wrapped);
    }
    return out;
  }
}
