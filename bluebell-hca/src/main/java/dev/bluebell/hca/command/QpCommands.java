package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Commands that create, query and destroy queue pairs, and their contexts. */
public final class QpCommands {
  /** Mirrors {@code mlx5_prm.h: mlx5_ifc_qpc_extension_and_pas_list_bits} of DPDK. */
  private static final Structure QPC_EXTENSION_AND_PAS_LIST =
      Structure.define("qpc_extension_and_pas_list", 1536)
          .with("qpc_data_extension@000:1536 qpc_data_extension.mmo@002");

  /** Input of CREATE_QP. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_qp_in_bits} of Linux. */
  public static final class CreateQpIn {
    public static final Structure STRUCTURE =
        CommandHeaders.input("create_qp_in", 2176)
            .with("input_qpn@048:24 opt_param_mask@080:32 ece@0a0:32")
            .with("qpc_extension_and_pas_list", 0x880, QPC_EXTENSION_AND_PAS_LIST);
    public static final Field UID = STRUCTURE.field("uid", 0x010, 16);
    public static final Field QPC_EXT = STRUCTURE.field("qpc_ext", 0x040, 1);
    public static final Area QPC = STRUCTURE.area("qpc", 0x0c0, Qpc.STRUCTURE);
    public static final Field WQ_UMEM_OFFSET = STRUCTURE.field("wq_umem_offset", 0x800, 64);
    public static final Field WQ_UMEM_ID = STRUCTURE.field("wq_umem_id", 0x840, 32);
    public static final Field WQ_UMEM_VALID = STRUCTURE.field("wq_umem_valid", 0x860, 1);

    private CreateQpIn() {}
  }

  /** Output of CREATE_QP. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_qp_out_bits} of Linux. */
  public static final class CreateQpOut {
    public static final Structure STRUCTURE =
        CommandHeaders.output("create_qp_out", 128).with("ece@060:32");
    public static final Field QPN = STRUCTURE.field("qpn", 0x048, 24);

    private CreateQpOut() {}
  }

  /** Input of QUERY_QP. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_qp_in_bits} of Linux. */
  public static final class QueryQpIn {
    public static final Structure STRUCTURE = CommandHeaders.input("query_qp_in", 128);
    public static final Field QPN = STRUCTURE.field("qpn", 0x048, 24);

    private QueryQpIn() {}
  }

  /** Output of QUERY_QP. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_qp_out_bits} of Linux. */
  public static final class QueryQpOut {
    public static final Structure STRUCTURE =
        CommandHeaders.output("query_qp_out", 2176).with("opt_param_mask@080:32 ece@0a0:32");
    public static final Area QPC = STRUCTURE.area("qpc", 0x0c0, Qpc.STRUCTURE);

    private QueryQpOut() {}
  }

  /** Input of DESTROY_QP. Mirrors {@code mlx5_ifc.h: mlx5_ifc_destroy_qp_in_bits} of Linux. */
  public static final class DestroyQpIn {
    public static final Structure STRUCTURE =
        CommandHeaders.input("destroy_qp_in", 128).with("uid@010:16");
    public static final Field QPN = STRUCTURE.field("qpn", 0x048, 24);

    private DestroyQpIn() {}
  }

  /**
   * Input of ATTACH_TO_MCG. Mirrors {@code mlx5_ifc.h: mlx5_ifc_attach_to_mcg_in_bits} of Linux.
   */
  public static final class AttachToMcgIn {
    public static final Structure STRUCTURE =
        CommandHeaders.input("attach_to_mcg_in", 256).with("uid@010:16");
    public static final Field QPN = STRUCTURE.field("qpn", 0x048, 24);
    public static final Field MULTICAST_GID = STRUCTURE.field("multicast_gid", 0x080, 128);

    private AttachToMcgIn() {}
  }

  /**
   * Input of DETACH_FROM_MCG. Mirrors {@code mlx5_ifc.h: mlx5_ifc_detach_from_mcg_in_bits} of
   * Linux.
   */
  public static final class DetachFromMcgIn {
    public static final Structure STRUCTURE =
        CommandHeaders.input("detach_from_mcg_in", 256).with("uid@010:16");
    public static final Field QPN = STRUCTURE.field("qpn", 0x048, 24);
    public static final Field MULTICAST_GID = STRUCTURE.field("multicast_gid", 0x080, 128);

    private DetachFromMcgIn() {}
  }

  /** Queue pair context. Mirrors {@code mlx5_ifc.h: mlx5_ifc_qpc_bits} of Linux. */
  public static final class Qpc {
    public static final Structure STRUCTURE =
        Structure.define("qpc", 1856)
            .with(
                """
                lag_tx_port_affinity@004:4 isolate_vl_tc@012 rdma_wr_disabled@015
                req_e2e_credit_mode@016:2 end_padding_mode@01c:2 atomic_like_write_en@022
                latency_sensitive@023 drain_sigerr@025 data_in_order@05a
                ulp_stateless_offload_mode@05c:4 counter_set_id@060:8 full_handshake@083
                cnak_reverse_sl@084:4 cur_rnr_retry@395:3 cur_retry_count@398:3 deth_sqpn@408:24
                last_acked_psn@448:24 ssn@468:24 rmsn@588:24 hw_rq_counter@5c0:32
                sw_rq_counter@5e0:32 cgs@62f dc_access_key@640:64
                """)
            .with("secondary_address_path", 0x220, Ads.STRUCTURE);
    public static final Field STATE = STRUCTURE.field("state", 0x000, 4);
    public static final Field ST = STRUCTURE.field("st", 0x008, 8);
    public static final Field PM_STATE = STRUCTURE.field("pm_state", 0x013, 2);
    public static final Field OFFLOAD_TYPE = STRUCTURE.field("offload_type", 0x018, 4);
    public static final Field WQ_SIGNATURE = STRUCTURE.field("wq_signature", 0x020, 1);
    public static final Field BLOCK_LB_MC = STRUCTURE.field("block_lb_mc", 0x021, 1);
    public static final Field DP_ORDERING_0 = STRUCTURE.field("dp_ordering_0", 0x026, 1);
    public static final Field DP_ORDERING_FORCE = STRUCTURE.field("dp_ordering_force", 0x027, 1);
    public static final Field PD = STRUCTURE.field("pd", 0x028, 24);
    public static final Field MTU = STRUCTURE.field("mtu", 0x040, 3);
    public static final Field LOG_MSG_MAX = STRUCTURE.field("log_msg_max", 0x043, 5);
    public static final Field LOG_RQ_SIZE = STRUCTURE.field("log_rq_size", 0x049, 4);
    public static final Field LOG_RQ_STRIDE = STRUCTURE.field("log_rq_stride", 0x04d, 3);
    public static final Field NO_SQ = STRUCTURE.field("no_sq", 0x050, 1);
    public static final Field LOG_SQ_SIZE = STRUCTURE.field("log_sq_size", 0x051, 4);
    public static final Field TS_FORMAT = STRUCTURE.field("ts_format", 0x058, 2);
    public static final Field RLKY = STRUCTURE.field("rlky", 0x05b, 1);
    public static final Field UAR_PAGE = STRUCTURE.field("uar_page", 0x068, 24);
    public static final Field SEND_DBR_MODE = STRUCTURE.field("send_dbr_mode", 0x080, 2);
    public static final Field USER_INDEX = STRUCTURE.field("user_index", 0x088, 24);
    public static final Field LOG_PAGE_SIZE = STRUCTURE.field("log_page_size", 0x0a3, 5);
    public static final Field REMOTE_QPN = STRUCTURE.field("remote_qpn", 0x0a8, 24);
    public static final Area PRIMARY_ADDRESS_PATH =
        STRUCTURE.area("primary_address_path", 0x0c0, Ads.STRUCTURE);
    public static final Field LOG_ACK_REQ_FREQ = STRUCTURE.field("log_ack_req_freq", 0x380, 4);
    public static final Field LOG_SRA_MAX = STRUCTURE.field("log_sra_max", 0x388, 3);
    public static final Field RETRY_COUNT = STRUCTURE.field("retry_count", 0x38d, 3);
    public static final Field RNR_RETRY = STRUCTURE.field("rnr_retry", 0x390, 3);
    public static final Field FRE = STRUCTURE.field("fre", 0x394, 1);
    public static final Field NEXT_SEND_PSN = STRUCTURE.field("next_send_psn", 0x3c8, 24);
    public static final Field LOG_NUM_DCI_STREAM_CHANNELS =
        STRUCTURE.field("log_num_dci_stream_channels", 0x3e3, 5);
    public static final Field CQN_SND = STRUCTURE.field("cqn_snd", 0x3e8, 24);
    public static final Field LOG_NUM_DCI_ERRORED_STREAMS =
        STRUCTURE.field("log_num_dci_errored_streams", 0x403, 5);
    public static final Field LOG_RRA_MAX = STRUCTURE.field("log_rra_max", 0x488, 3);
    public static final Field ATOMIC_MODE = STRUCTURE.field("atomic_mode", 0x48c, 4);
    public static final Field RRE = STRUCTURE.field("rre", 0x490, 1);
    public static final Field RWE = STRUCTURE.field("rwe", 0x491, 1);
    public static final Field RAE = STRUCTURE.field("rae", 0x492, 1);
    public static final Field PAGE_OFFSET = STRUCTURE.field("page_offset", 0x494, 6);
    public static final Field DP_ORDERING_1 = STRUCTURE.field("dp_ordering_1", 0x49c, 1);
    public static final Field CD_SLAVE_RECEIVE = STRUCTURE.field("cd_slave_receive", 0x49d, 1);
    public static final Field CD_SLAVE_SEND = STRUCTURE.field("cd_slave_send", 0x49e, 1);
    public static final Field CD_MASTER = STRUCTURE.field("cd_master", 0x49f, 1);
    public static final Field MIN_RNR_NAK = STRUCTURE.field("min_rnr_nak", 0x4a3, 5);
    public static final Field NEXT_RCV_PSN = STRUCTURE.field("next_rcv_psn", 0x4a8, 24);
    public static final Field XRCD = STRUCTURE.field("xrcd", 0x4c8, 24);
    public static final Field CQN_RCV = STRUCTURE.field("cqn_rcv", 0x4e8, 24);
    public static final Field DBR_ADDR = STRUCTURE.field("dbr_addr", 0x500, 64);
    public static final Field Q_KEY = STRUCTURE.field("q_key", 0x540, 32);
    public static final Field RQ_TYPE = STRUCTURE.field("rq_type", 0x565, 3);
    public static final Field SRQN_RMPN_XRQN = STRUCTURE.field("srqn_rmpn_xrqn", 0x568, 24);
    public static final Field HW_SQ_WQEBB_COUNTER =
        STRUCTURE.field("hw_sq_wqebb_counter", 0x5a0, 16);
    public static final Field SW_SQ_WQEBB_COUNTER =
        STRUCTURE.field("sw_sq_wqebb_counter", 0x5b0, 16);
    public static final Field CS_REQ = STRUCTURE.field("cs_req", 0x630, 8);
    public static final Field CS_RES = STRUCTURE.field("cs_res", 0x638, 8);
    public static final Field DBR_UMEM_VALID = STRUCTURE.field("dbr_umem_valid", 0x683, 1);
    public static final Field DBR_UMEM_ID = STRUCTURE.field("dbr_umem_id", 0x720, 32);

    /** pm_state: an alternate path shall be loaded, {@code MLX5_QPC_PM_STATE_REARM}. */
    public static final int PM_STATE_REARM = 1;

    /** pm_state: an alternate path is loaded, {@code MLX5_QPC_PM_STATE_ARMED}. */
    public static final int PM_STATE_ARMED = 0;

    /** pm_state: the path is the primary one, {@code MLX5_QPC_PM_STATE_MIGRATED}. */
    public static final int PM_STATE_MIGRATED = 3;

    /** ts_format: completions carry cycles of the device's clock. */
    public static final int TS_FORMAT_FREE_RUNNING = 0;

    /** ts_format: that of the device's configuration, {@code MLX5_QPC_TIMESTAMP_FORMAT_DEFAULT}. */
    public static final int TS_FORMAT_DEFAULT = 1;

    /** rq_type: the queue pair has a receive queue of its own. */
    public static final int RQ_TYPE_REGULAR = 0;

    /**
     * offload_type: the device performs the rendezvous, {@code mlx5_ifc.h:
     * MLX5_QPC_OFFLOAD_TYPE_RNDV}.
     */
    public static final int OFFLOAD_TYPE_RNDV = 1;

    /** rq_type: it receives from the pool in srqn_rmpn_xrqn, {@code qp.h: MLX5_SRQ_RQ}. */
    public static final int RQ_TYPE_SHARED = 1;

    /** rq_type: it receives nothing, {@code qp.h: MLX5_ZERO_LEN_RQ}. */
    public static final int RQ_TYPE_NONE = 3;

    /** Offset of log_rq_stride: value 0 means requests of 16 bytes. */
    public static final int LOG_RQ_STRIDE_OF_0 = 4;

    /** cs_res: received data of up to 32 bytes, {@code mlx5_ib.h: MLX5_RES_SCAT_DATA32_CQE}. */
    public static final int CS_RES_32 = 0x1;

    /** cs_res: received data of up to 64 bytes, {@code mlx5_ib.h: MLX5_RES_SCAT_DATA64_CQE}. */
    public static final int CS_RES_64 = 0x2;

    /** cs_req: answers of up to 32 bytes, {@code mlx5_ib.h: MLX5_REQ_SCAT_DATA32_CQE}. */
    public static final int CS_REQ_32 = 0x11;

    /** cs_req: answers of up to 64 bytes, {@code mlx5_ib.h: MLX5_REQ_SCAT_DATA64_CQE}. */
    public static final int CS_REQ_64 = 0x22;

    /**
     * atomic_mode: only 8 bytes, masked atomics too, {@code device.h: MLX5_ATOMIC_MODE_8B_ONLY} of
     * Linux.
     */
    public static final int ATOMIC_MODE_ONLY_8B = 2;

    /** atomic_mode: up to 8 bytes, {@code device.h: MLX5_ATOMIC_MODE_8B} of Linux. */
    public static final int ATOMIC_MODE_8B = 3;

    /**
     * atomic_mode: up to 16 bytes, {@code device.h: MLX5_ATOMIC_MODE_16B} of Linux; larger modes
     * are the logarithms of larger sizes.
     */
    public static final int ATOMIC_MODE_16B = 4;

    /** atomic_mode: 8 bytes, {@code MLX5_QPC_ATOMIC_MODE_IB_SPEC}. */
    public static final int ATOMIC_MODE_IB_SPEC = 1;

    private Qpc() {}
  }

  /** The structure qpc_ext. Mirrors {@code mlx5_ifc.h: mlx5_ifc_qpc_ext_bits} of rdma-core. */
  public static final class QpcExt {
    public static final Structure STRUCTURE =
        Structure.define("qpc_ext", 1536)
            .with(
                """
                delay_drop_en@000 vl15@001 qos_queue_group_id_requester@020:32
                qos_queue_group_id_responder@040:32
                """);
    public static final Field MMO = STRUCTURE.field("mmo", 0x002, 1);
    public static final Field DCI_STREAM_CHANNEL_ID =
        STRUCTURE.field("dci_stream_channel_id", 0x010, 16);

    /**
     * opt_param_mask_95_32 of INIT2INIT_QP: takes {@link #MMO}, {@code mlx5_ifc.h:
     * MLX5_QPC_OPT_MASK_32_INIT2INIT_MMO} of rdma-core.
     */
    public static final long OPT_MASK_MMO = 1 << 3;

    private QpcExt() {}
  }

  /** Address path. Mirrors {@code mlx5_ifc.h: mlx5_ifc_ads_bits} of Linux. */
  public static final class Ads {
    public static final Structure STRUCTURE =
        Structure.define("ads", 352)
            .with(
                """
                fl@000 free_ar@001 log_rtm@050:4 f_dscp@104 f_ecn@105 f_eth_prio@107 ecn@108:2
                dei_cfi@120
                """);
    public static final Field PKEY_INDEX = STRUCTURE.field("pkey_index", 0x010, 16);
    public static final Field GRH = STRUCTURE.field("grh", 0x028, 1);
    public static final Field MLID = STRUCTURE.field("mlid", 0x029, 7);
    public static final Field RLID = STRUCTURE.field("rlid", 0x030, 16);
    public static final Field ACK_TIMEOUT = STRUCTURE.field("ack_timeout", 0x040, 5);
    public static final Field SRC_ADDR_INDEX = STRUCTURE.field("src_addr_index", 0x048, 8);
    public static final Field STAT_RATE = STRUCTURE.field("stat_rate", 0x054, 4);
    public static final Field HOP_LIMIT = STRUCTURE.field("hop_limit", 0x058, 8);
    public static final Field TCLASS = STRUCTURE.field("tclass", 0x064, 8);
    public static final Field FLOW_LABEL = STRUCTURE.field("flow_label", 0x06c, 20);
    public static final Field RGID_RIP = STRUCTURE.field("rgid_rip", 0x080, 128);
    public static final Field DSCP = STRUCTURE.field("dscp", 0x10a, 6);
    public static final Field UDP_SPORT = STRUCTURE.field("udp_sport", 0x110, 16);
    public static final Field ETH_PRIO = STRUCTURE.field("eth_prio", 0x121, 3);
    public static final Field SL = STRUCTURE.field("sl", 0x124, 4);
    public static final Field VHCA_PORT_NUM = STRUCTURE.field("vhca_port_num", 0x128, 8);
    public static final Field RMAC_47_32 = STRUCTURE.field("rmac_47_32", 0x130, 16);
    public static final Field RMAC_31_0 = STRUCTURE.field("rmac_31_0", 0x140, 32);

    private Ads() {}
  }

  private QpCommands() {}
}
