package dev.bluebell.softnic.diagnosis;

import dev.bluebell.hca.command.CounterCommands.QueryCongStatisticsOut;
import dev.bluebell.hca.structure.Field;

/** The congestion counters, by the field that reports them. */
public enum CongestionCounter {
  /** Received packets that a switch had marked. */
  MARKED_PACKETS(QueryCongStatisticsOut.NP_ECN_MARKED_ROCE_PACKETS_HIGH),
  NOTIFICATIONS_SENT(QueryCongStatisticsOut.NP_CNP_SENT_HIGH),
  /** Notifications that lowered the rate of a queue pair. */
  NOTIFICATIONS_HANDLED(QueryCongStatisticsOut.RP_CNP_HANDLED_HIGH),
  /** Notifications that changed nothing. */
  NOTIFICATIONS_IGNORED(QueryCongStatisticsOut.RP_CNP_IGNORED_HIGH);

  private final Field field;

  CongestionCounter(Field high) {
    field = QueryCongStatisticsOut.whole(high);
  }

  /** The counter in QUERY_CONG_STATISTICS's output, 64 bits. */
  public Field field() {
    return field;
  }

  /** The name in mlx5's hw_counters. */
  @Override
  public String toString() {
    return field.name();
  }
}
