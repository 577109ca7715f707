package dev.bluebell.hca.counter;

import static dev.bluebell.hca.command.CounterCommands.QueryCongStatisticsOut.whole;
import static dev.bluebell.hca.counter.PortCounter.Source.CONGESTION;
import static dev.bluebell.hca.counter.PortCounter.Source.LINK;
import static dev.bluebell.hca.counter.PortCounter.Source.QUEUES;
import static dev.bluebell.hca.counter.PortCounter.Source.TRAFFIC;

import dev.bluebell.hca.command.CounterCommands.QueryCongStatisticsOut;
import dev.bluebell.hca.command.CounterCommands.QueryQCounterOut;
import dev.bluebell.hca.command.CounterCommands.QueryVportCounterOut;
import dev.bluebell.hca.structure.Field;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A counter of a port, named as in {@code ib_core sysfs.c} and {@code mlx5_ib counters.c}. Counters
 * of events that cannot occur in software, such as symbol errors, stay 0.
 */
public enum PortCounter {
  PORT_XMIT_DATA(TRAFFIC, QueryVportCounterOut.TRANSMITTED_IB_UNICAST_OCTETS),
  PORT_RCV_DATA(TRAFFIC, QueryVportCounterOut.RECEIVED_IB_UNICAST_OCTETS),
  PORT_XMIT_PACKETS(TRAFFIC, QueryVportCounterOut.TRANSMITTED_IB_UNICAST_PACKETS),
  PORT_RCV_PACKETS(TRAFFIC, QueryVportCounterOut.RECEIVED_IB_UNICAST_PACKETS),
  UNICAST_XMIT_PACKETS(TRAFFIC, QueryVportCounterOut.TRANSMITTED_IB_UNICAST_PACKETS),
  UNICAST_RCV_PACKETS(TRAFFIC, QueryVportCounterOut.RECEIVED_IB_UNICAST_PACKETS),
  MULTICAST_XMIT_PACKETS(TRAFFIC, null),
  MULTICAST_RCV_PACKETS(TRAFFIC, null),
  PORT_RCV_ERRORS(TRAFFIC, QueryVportCounterOut.RECEIVED_ERRORS_PACKETS),
  PORT_XMIT_DISCARDS(TRAFFIC, QueryVportCounterOut.TRANSMIT_ERRORS_PACKETS),
  PORT_XMIT_WAIT(TRAFFIC, null),
  PORT_RCV_CONSTRAINT_ERRORS(TRAFFIC, null),
  PORT_RCV_REMOTE_PHYSICAL_ERRORS(TRAFFIC, null),
  PORT_RCV_SWITCH_RELAY_ERRORS(TRAFFIC, null),
  PORT_XMIT_CONSTRAINT_ERRORS(TRAFFIC, null),
  EXCESSIVE_BUFFER_OVERRUN_ERRORS(TRAFFIC, null),
  LINK_DOWNED(LINK, PerformanceMad.LINK_DOWNED),
  LINK_ERROR_RECOVERY(TRAFFIC, null),
  LOCAL_LINK_INTEGRITY_ERRORS(TRAFFIC, null),
  SYMBOL_ERROR(TRAFFIC, null),
  VL15_DROPPED(TRAFFIC, null),

  RX_WRITE_REQUESTS(QUEUES, QueryQCounterOut.RX_WRITE_REQUESTS),
  RX_READ_REQUESTS(QUEUES, QueryQCounterOut.RX_READ_REQUESTS),
  RX_ATOMIC_REQUESTS(QUEUES, QueryQCounterOut.RX_ATOMIC_REQUESTS),
  RX_DCT_CONNECT(QUEUES, QueryQCounterOut.RX_DCT_CONNECT),
  OUT_OF_BUFFER(QUEUES, QueryQCounterOut.OUT_OF_BUFFER),
  OUT_OF_SEQUENCE(QUEUES, QueryQCounterOut.OUT_OF_SEQUENCE),
  DUPLICATE_REQUEST(QUEUES, QueryQCounterOut.DUPLICATE_REQUEST),
  RNR_NAK_RETRY_ERR(QUEUES, QueryQCounterOut.RNR_NAK_RETRY_ERR),
  PACKET_SEQ_ERR(QUEUES, QueryQCounterOut.PACKET_SEQ_ERR),
  IMPLIED_NAK_SEQ_ERR(QUEUES, QueryQCounterOut.IMPLIED_NAK_SEQ_ERR),
  LOCAL_ACK_TIMEOUT_ERR(QUEUES, QueryQCounterOut.LOCAL_ACK_TIMEOUT_ERR),
  RESP_LOCAL_LENGTH_ERROR(QUEUES, QueryQCounterOut.RESP_LOCAL_LENGTH_ERROR),
  RESP_CQE_ERROR(QUEUES, QueryQCounterOut.RESP_CQE_ERROR),
  REQ_CQE_ERROR(QUEUES, QueryQCounterOut.REQ_CQE_ERROR),
  REQ_REMOTE_INVALID_REQUEST(QUEUES, QueryQCounterOut.REQ_REMOTE_INVALID_REQUEST),
  REQ_REMOTE_ACCESS_ERRORS(QUEUES, QueryQCounterOut.REQ_REMOTE_ACCESS_ERRORS),
  RESP_REMOTE_ACCESS_ERRORS(QUEUES, QueryQCounterOut.RESP_REMOTE_ACCESS_ERRORS),
  RESP_CQE_FLUSH_ERROR(QUEUES, QueryQCounterOut.RESP_CQE_FLUSH_ERROR),
  REQ_CQE_FLUSH_ERROR(QUEUES, QueryQCounterOut.REQ_CQE_FLUSH_ERROR),
  ROCE_ADP_RETRANS(QUEUES, null),
  ROCE_ADP_RETRANS_TO(QUEUES, null),
  ROCE_SLOW_RESTART(QUEUES, null),
  ROCE_SLOW_RESTART_CNPS(QUEUES, null),
  ROCE_SLOW_RESTART_TRANS(QUEUES, null),
  NP_CNP_SENT(CONGESTION, whole(QueryCongStatisticsOut.NP_CNP_SENT_HIGH)),
  NP_ECN_MARKED_ROCE_PACKETS(
      CONGESTION, whole(QueryCongStatisticsOut.NP_ECN_MARKED_ROCE_PACKETS_HIGH)),
  RP_CNP_HANDLED(CONGESTION, whole(QueryCongStatisticsOut.RP_CNP_HANDLED_HIGH)),
  RP_CNP_IGNORED(CONGESTION, whole(QueryCongStatisticsOut.RP_CNP_IGNORED_HIGH)),
  RX_ICRC_ENCAPSULATED(QUEUES, null);

  /** The command that returns the value; it also determines the folder of the file. */
  enum Source {
    /** QUERY_VPORT_COUNTER, 64 bits. */
    TRAFFIC,
    /** MAD_IFC with {@link PerformanceMad}. */
    LINK,
    /** QUERY_Q_COUNTER, 32 bits. */
    QUEUES,
    /** QUERY_CONG_STATISTICS, 64 bits. */
    CONGESTION
  }

  private final Source source;
  private final @Nullable Field field;

  PortCounter(Source source, @Nullable Field field) {
    this.source = source;
    this.field = field;
  }

  Source source() {
    return source;
  }

  /** True for counters of data, in units of 4 bytes. */
  public boolean countsWords() {
    return this == PORT_XMIT_DATA || this == PORT_RCV_DATA;
  }

  /**
   * How much the counter rose between two values, unsigned. A counter of 32 bits may have wrapped
   * to 0. One that is much lower than before was reset meanwhile, so it rose from 0.
   */
  public long rise(long before, long now) {
    if (Long.compareUnsigned(now, before) >= 0) {
      return now - before;
    }
    int wrapped = (int) (now - before);
    return source == QUEUES && wrapped > 0 ? wrapped : now;
  }

  /** The field in the answer of the source's query; null for events that never occur. */
  @Nullable Field field() {
    return field;
  }

  /** The folder of the port that contains the file. */
  public String folder() {
    return source == TRAFFIC || source == LINK ? "counters" : "hw_counters";
  }

  /** The name of the file. */
  public String fileName() {
    return this == VL15_DROPPED ? "VL15_dropped" : name().toLowerCase(Locale.ROOT);
  }

  /** The counter with this file name. */
  public static Optional<PortCounter> named(String fileName) {
    return Arrays.stream(values())
        .filter(counter -> counter.fileName().equals(fileName))
        .findFirst();
  }
}
