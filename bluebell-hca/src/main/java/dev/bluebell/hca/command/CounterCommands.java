package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Commands about counters. */
public final class CounterCommands {
  /**
   * Input of QUERY_Q_COUNTER. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_q_counter_in_bits} of
   * Linux.
   */
  public static final class QueryQCounterIn {
    public static final Structure STRUCTURE =
        CommandHeaders.input("query_q_counter_in", 256).with("uid@010:16");
    public static final Field CLEAR = STRUCTURE.field("clear", 0x0c0, 1);
    public static final Field COUNTER_SET_ID = STRUCTURE.field("counter_set_id", 0x0f8, 8);

    private QueryQCounterIn() {}
  }

  /**
   * Output of QUERY_Q_COUNTER. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_q_counter_out_bits} of
   * Linux.
   */
  public static final class QueryQCounterOut {
    public static final Structure STRUCTURE =
        CommandHeaders.output("query_q_counter_out", 2048)
            .with(
                """
                roce_adp_retrans@640:32 roce_adp_retrans_to@660:32 roce_slow_restart@680:32
                roce_slow_restart_cnps@6a0:32 roce_slow_restart_trans@6c0:32
                """);
    public static final Field RX_WRITE_REQUESTS = STRUCTURE.field("rx_write_requests", 0x080, 32);
    public static final Field RX_READ_REQUESTS = STRUCTURE.field("rx_read_requests", 0x0c0, 32);
    public static final Field RX_ATOMIC_REQUESTS = STRUCTURE.field("rx_atomic_requests", 0x100, 32);
    public static final Field RX_DCT_CONNECT = STRUCTURE.field("rx_dct_connect", 0x140, 32);
    public static final Field OUT_OF_BUFFER = STRUCTURE.field("out_of_buffer", 0x180, 32);
    public static final Field OUT_OF_SEQUENCE = STRUCTURE.field("out_of_sequence", 0x1c0, 32);
    public static final Field DUPLICATE_REQUEST = STRUCTURE.field("duplicate_request", 0x200, 32);
    public static final Field RNR_NAK_RETRY_ERR = STRUCTURE.field("rnr_nak_retry_err", 0x240, 32);
    public static final Field PACKET_SEQ_ERR = STRUCTURE.field("packet_seq_err", 0x280, 32);
    public static final Field IMPLIED_NAK_SEQ_ERR =
        STRUCTURE.field("implied_nak_seq_err", 0x2c0, 32);
    public static final Field LOCAL_ACK_TIMEOUT_ERR =
        STRUCTURE.field("local_ack_timeout_err", 0x300, 32);
    public static final Field RESP_LOCAL_LENGTH_ERROR =
        STRUCTURE.field("resp_local_length_error", 0x3c0, 32);
    public static final Field REQ_LOCAL_LENGTH_ERROR =
        STRUCTURE.field("req_local_length_error", 0x3e0, 32);
    public static final Field RESP_LOCAL_QP_ERROR =
        STRUCTURE.field("resp_local_qp_error", 0x400, 32);
    public static final Field LOCAL_OPERATION_ERROR =
        STRUCTURE.field("local_operation_error", 0x420, 32);
    public static final Field RESP_LOCAL_PROTECTION =
        STRUCTURE.field("resp_local_protection", 0x440, 32);
    public static final Field REQ_LOCAL_PROTECTION =
        STRUCTURE.field("req_local_protection", 0x460, 32);
    public static final Field RESP_CQE_ERROR = STRUCTURE.field("resp_cqe_error", 0x480, 32);
    public static final Field REQ_CQE_ERROR = STRUCTURE.field("req_cqe_error", 0x4a0, 32);
    public static final Field REQ_MW_BINDING = STRUCTURE.field("req_mw_binding", 0x4c0, 32);
    public static final Field REQ_BAD_RESPONSE = STRUCTURE.field("req_bad_response", 0x4e0, 32);
    public static final Field REQ_REMOTE_INVALID_REQUEST =
        STRUCTURE.field("req_remote_invalid_request", 0x500, 32);
    public static final Field RESP_REMOTE_INVALID_REQUEST =
        STRUCTURE.field("resp_remote_invalid_request", 0x520, 32);
    public static final Field REQ_REMOTE_ACCESS_ERRORS =
        STRUCTURE.field("req_remote_access_errors", 0x540, 32);
    public static final Field RESP_REMOTE_ACCESS_ERRORS =
        STRUCTURE.field("resp_remote_access_errors", 0x560, 32);
    public static final Field REQ_REMOTE_OPERATION_ERRORS =
        STRUCTURE.field("req_remote_operation_errors", 0x580, 32);
    public static final Field REQ_TRANSPORT_RETRIES_EXCEEDED =
        STRUCTURE.field("req_transport_retries_exceeded", 0x5a0, 32);
    public static final Field CQ_OVERFLOW = STRUCTURE.field("cq_overflow", 0x5c0, 32);
    public static final Field RESP_CQE_FLUSH_ERROR =
        STRUCTURE.field("resp_cqe_flush_error", 0x5e0, 32);
    public static final Field REQ_CQE_FLUSH_ERROR =
        STRUCTURE.field("req_cqe_flush_error", 0x600, 32);

    private QueryQCounterOut() {}
  }

  /**
   * Input of QUERY_VPORT_COUNTER. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_vport_counter_in_bits}
   * of Linux.
   */
  public static final class QueryVportCounterIn {
    public static final Structure STRUCTURE =
        CommandHeaders.input("query_vport_counter_in", 256).with("port_num@04c:4");
    public static final Field OTHER_VPORT = STRUCTURE.field("other_vport", 0x040, 1);
    public static final Field VPORT_NUMBER = STRUCTURE.field("vport_number", 0x050, 16);
    public static final Field CLEAR = STRUCTURE.field("clear", 0x0c0, 1);

    private QueryVportCounterIn() {}
  }

  /**
   * Output of QUERY_VPORT_COUNTER: packets and octets of each kind. Mirrors {@code mlx5_ifc.h:
   * mlx5_ifc_query_vport_counter_out_bits, mlx5_ifc_traffic_counter_bits} of Linux.
   */
  public static final class QueryVportCounterOut {
    public static final Structure STRUCTURE =
        CommandHeaders.output("query_vport_counter_out", 4224)
            .with(
                """
                received_errors.octets@0c0:64 transmit_errors.octets@140:64
                received_ib_multicast.packets@280:64 received_ib_multicast.octets@2c0:64
                transmitted_ib_multicast.packets@300:64 transmitted_ib_multicast.octets@340:64
                received_eth_broadcast.packets@380:64 received_eth_broadcast.octets@3c0:64
                transmitted_eth_broadcast.packets@400:64
                transmitted_eth_broadcast.octets@440:64 received_eth_unicast.packets@480:64
                received_eth_unicast.octets@4c0:64 transmitted_eth_unicast.packets@500:64
                transmitted_eth_unicast.octets@540:64 received_eth_multicast.packets@580:64
                received_eth_multicast.octets@5c0:64 transmitted_eth_multicast.packets@600:64
                transmitted_eth_multicast.octets@640:64
                """);
    public static final Field RECEIVED_ERRORS_PACKETS =
        STRUCTURE.field("received_errors.packets", 0x080, 64);
    public static final Field TRANSMIT_ERRORS_PACKETS =
        STRUCTURE.field("transmit_errors.packets", 0x100, 64);
    public static final Field RECEIVED_IB_UNICAST_PACKETS =
        STRUCTURE.field("received_ib_unicast.packets", 0x180, 64);
    public static final Field RECEIVED_IB_UNICAST_OCTETS =
        STRUCTURE.field("received_ib_unicast.octets", 0x1c0, 64);
    public static final Field TRANSMITTED_IB_UNICAST_PACKETS =
        STRUCTURE.field("transmitted_ib_unicast.packets", 0x200, 64);
    public static final Field TRANSMITTED_IB_UNICAST_OCTETS =
        STRUCTURE.field("transmitted_ib_unicast.octets", 0x240, 64);

    private QueryVportCounterOut() {}
  }

  /**
   * Input of QUERY_CONG_STATISTICS. Mirrors {@code mlx5_ifc.h:
   * mlx5_ifc_query_cong_statistics_in_bits} of Linux.
   */
  public static final class QueryCongStatisticsIn {
    public static final Structure STRUCTURE = CommandHeaders.input("query_cong_statistics_in", 128);
    public static final Field CLEAR = STRUCTURE.field("clear", 0x040, 1);

    private QueryCongStatisticsIn() {}
  }

  /**
   * Output of QUERY_CONG_STATISTICS. Mirrors {@code mlx5_ifc.h:
   * mlx5_ifc_query_cong_statistics_out_bits} of Linux, which names the two halves of a counter.
   */
  public static final class QueryCongStatisticsOut {
    public static final Structure STRUCTURE =
        CommandHeaders.output("query_cong_statistics_out", 2176)
            .with(
                """
                rp_cur_flows@080:32 sum_flows@0a0:32 rp_cnp_ignored_low@0e0:32
                rp_cnp_handled_low@120:32 time_stamp_high@240:32 time_stamp_low@260:32
                accumulators_period@280:32 np_ecn_marked_roce_packets_low@2c0:32
                np_cnp_sent_low@300:32
                """);
    public static final Field RP_CNP_IGNORED_HIGH =
        STRUCTURE.field("rp_cnp_ignored_high", 0x0c0, 32);
    public static final Field RP_CNP_HANDLED_HIGH =
        STRUCTURE.field("rp_cnp_handled_high", 0x100, 32);
    public static final Field NP_ECN_MARKED_ROCE_PACKETS_HIGH =
        STRUCTURE.field("np_ecn_marked_roce_packets_high", 0x2a0, 32);
    public static final Field NP_CNP_SENT_HIGH = STRUCTURE.field("np_cnp_sent_high", 0x2e0, 32);

    private QueryCongStatisticsOut() {}

    /** A 64-bit counter, given the field of its high half; the low half follows it. */
    public static Field whole(Field high) {
      return new Field(high.name().replaceFirst("_high$", ""), high.bit(), Long.SIZE);
    }
  }

  private CounterCommands() {}
}
