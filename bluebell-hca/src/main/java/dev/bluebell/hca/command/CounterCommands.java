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
    private static final Structure.Definition D = CommandHeaders.input("query_q_counter_in", 256);

    public static final Field CLEAR = D.field("clear", 0x0c0, 1);
    public static final Field COUNTER_SET_ID = D.field("counter_set_id", 0x0f8, 8);

    public static final Structure STRUCTURE = D.with("uid@010:16").structure();

    private QueryQCounterIn() {}
  }

  /**
   * Output of QUERY_Q_COUNTER. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_q_counter_out_bits} of
   * Linux.
   */
  public static final class QueryQCounterOut {
    private static final Structure.Definition D =
        CommandHeaders.output("query_q_counter_out", 2048);

    public static final Field RX_WRITE_REQUESTS = D.field("rx_write_requests", 0x080, 32);
    public static final Field RX_READ_REQUESTS = D.field("rx_read_requests", 0x0c0, 32);
    public static final Field RX_ATOMIC_REQUESTS = D.field("rx_atomic_requests", 0x100, 32);
    public static final Field RX_DCT_CONNECT = D.field("rx_dct_connect", 0x140, 32);
    public static final Field OUT_OF_BUFFER = D.field("out_of_buffer", 0x180, 32);
    public static final Field OUT_OF_SEQUENCE = D.field("out_of_sequence", 0x1c0, 32);
    public static final Field DUPLICATE_REQUEST = D.field("duplicate_request", 0x200, 32);
    public static final Field RNR_NAK_RETRY_ERR = D.field("rnr_nak_retry_err", 0x240, 32);
    public static final Field PACKET_SEQ_ERR = D.field("packet_seq_err", 0x280, 32);
    public static final Field IMPLIED_NAK_SEQ_ERR = D.field("implied_nak_seq_err", 0x2c0, 32);
    public static final Field LOCAL_ACK_TIMEOUT_ERR = D.field("local_ack_timeout_err", 0x300, 32);
    public static final Field RESP_LOCAL_LENGTH_ERROR =
        D.field("resp_local_length_error", 0x3c0, 32);
    public static final Field REQ_LOCAL_LENGTH_ERROR = D.field("req_local_length_error", 0x3e0, 32);
    public static final Field RESP_LOCAL_QP_ERROR = D.field("resp_local_qp_error", 0x400, 32);
    public static final Field LOCAL_OPERATION_ERROR = D.field("local_operation_error", 0x420, 32);
    public static final Field RESP_LOCAL_PROTECTION = D.field("resp_local_protection", 0x440, 32);
    public static final Field REQ_LOCAL_PROTECTION = D.field("req_local_protection", 0x460, 32);
    public static final Field RESP_CQE_ERROR = D.field("resp_cqe_error", 0x480, 32);
    public static final Field REQ_CQE_ERROR = D.field("req_cqe_error", 0x4a0, 32);
    public static final Field REQ_MW_BINDING = D.field("req_mw_binding", 0x4c0, 32);
    public static final Field REQ_BAD_RESPONSE = D.field("req_bad_response", 0x4e0, 32);
    public static final Field REQ_REMOTE_INVALID_REQUEST =
        D.field("req_remote_invalid_request", 0x500, 32);
    public static final Field RESP_REMOTE_INVALID_REQUEST =
        D.field("resp_remote_invalid_request", 0x520, 32);
    public static final Field REQ_REMOTE_ACCESS_ERRORS =
        D.field("req_remote_access_errors", 0x540, 32);
    public static final Field RESP_REMOTE_ACCESS_ERRORS =
        D.field("resp_remote_access_errors", 0x560, 32);
    public static final Field REQ_REMOTE_OPERATION_ERRORS =
        D.field("req_remote_operation_errors", 0x580, 32);
    public static final Field REQ_TRANSPORT_RETRIES_EXCEEDED =
        D.field("req_transport_retries_exceeded", 0x5a0, 32);
    public static final Field CQ_OVERFLOW = D.field("cq_overflow", 0x5c0, 32);
    public static final Field RESP_CQE_FLUSH_ERROR = D.field("resp_cqe_flush_error", 0x5e0, 32);
    public static final Field REQ_CQE_FLUSH_ERROR = D.field("req_cqe_flush_error", 0x600, 32);

    public static final Structure STRUCTURE =
        D.with(
                """
                roce_adp_retrans@640:32 roce_adp_retrans_to@660:32 roce_slow_restart@680:32
                roce_slow_restart_cnps@6a0:32 roce_slow_restart_trans@6c0:32
                """)
            .structure();

    private QueryQCounterOut() {}
  }

  /**
   * Input of QUERY_VPORT_COUNTER. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_vport_counter_in_bits}
   * of Linux.
   */
  public static final class QueryVportCounterIn {
    private static final Structure.Definition D =
        CommandHeaders.input("query_vport_counter_in", 256);

    public static final Field OTHER_VPORT = D.field("other_vport", 0x040, 1);
    public static final Field VPORT_NUMBER = D.field("vport_number", 0x050, 16);
    public static final Field CLEAR = D.field("clear", 0x0c0, 1);

    public static final Structure STRUCTURE = D.with("port_num@04c:4").structure();

    private QueryVportCounterIn() {}
  }

  /**
   * Output of QUERY_VPORT_COUNTER: packets and octets of each kind. Mirrors {@code mlx5_ifc.h:
   * mlx5_ifc_query_vport_counter_out_bits, mlx5_ifc_traffic_counter_bits} of Linux.
   */
  public static final class QueryVportCounterOut {
    private static final Structure.Definition D =
        CommandHeaders.output("query_vport_counter_out", 4224);

    public static final Field RECEIVED_ERRORS_PACKETS =
        D.field("received_errors.packets", 0x080, 64);
    public static final Field TRANSMIT_ERRORS_PACKETS =
        D.field("transmit_errors.packets", 0x100, 64);
    public static final Field RECEIVED_IB_UNICAST_PACKETS =
        D.field("received_ib_unicast.packets", 0x180, 64);
    public static final Field RECEIVED_IB_UNICAST_OCTETS =
        D.field("received_ib_unicast.octets", 0x1c0, 64);
    public static final Field TRANSMITTED_IB_UNICAST_PACKETS =
        D.field("transmitted_ib_unicast.packets", 0x200, 64);
    public static final Field TRANSMITTED_IB_UNICAST_OCTETS =
        D.field("transmitted_ib_unicast.octets", 0x240, 64);

    public static final Structure STRUCTURE =
        D.with(
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
                """)
            .structure();

    private QueryVportCounterOut() {}
  }

  /**
   * Input of QUERY_CONG_STATISTICS. Mirrors {@code mlx5_ifc.h:
   * mlx5_ifc_query_cong_statistics_in_bits} of Linux.
   */
  public static final class QueryCongStatisticsIn {
    private static final Structure.Definition D =
        CommandHeaders.input("query_cong_statistics_in", 128);

    public static final Field CLEAR = D.field("clear", 0x040, 1);

    public static final Structure STRUCTURE = D.structure();

    private QueryCongStatisticsIn() {}
  }

  /**
   * Output of QUERY_CONG_STATISTICS. Mirrors {@code mlx5_ifc.h:
   * mlx5_ifc_query_cong_statistics_out_bits} of Linux, which names the two halves of a counter.
   */
  public static final class QueryCongStatisticsOut {
    private static final Structure.Definition D =
        CommandHeaders.output("query_cong_statistics_out", 2176);

    public static final Field RP_CNP_IGNORED_HIGH = D.field("rp_cnp_ignored_high", 0x0c0, 32);
    public static final Field RP_CNP_HANDLED_HIGH = D.field("rp_cnp_handled_high", 0x100, 32);
    public static final Field NP_ECN_MARKED_ROCE_PACKETS_HIGH =
        D.field("np_ecn_marked_roce_packets_high", 0x2a0, 32);
    public static final Field NP_CNP_SENT_HIGH = D.field("np_cnp_sent_high", 0x2e0, 32);

    public static final Structure STRUCTURE =
        D.with(
                """
                rp_cur_flows@080:32 sum_flows@0a0:32 rp_cnp_ignored_low@0e0:32
                rp_cnp_handled_low@120:32 time_stamp_high@240:32 time_stamp_low@260:32
                accumulators_period@280:32 np_ecn_marked_roce_packets_low@2c0:32
                np_cnp_sent_low@300:32
                """)
            .structure();

    private QueryCongStatisticsOut() {}

    /** A 64-bit counter, given the field of its high half; the low half follows it. */
    public static Field whole(Field high) {
      return new Field(high.name().replaceFirst("_high$", ""), high.bit(), Long.SIZE);
    }
  }

  private CounterCommands() {}
}
