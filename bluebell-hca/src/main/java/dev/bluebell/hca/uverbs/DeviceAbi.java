package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** The context of a client, the device and its ports. */
public final class DeviceAbi {
  /** Input of GET_CONTEXT. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_get_context}. */
  public static final class GetContext {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_get_context", 8);
    public static final Field RESPONSE = STRUCTURE.u64("response", 0);

    private GetContext() {}
  }

  /** Output of GET_CONTEXT. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_get_context_resp}. */
  public static final class GetContextResp {
    public static final Structure STRUCTURE =
        Structure.littleEndian("ib_uverbs_get_context_resp", 8);
    public static final Field ASYNC_FD = STRUCTURE.u32("async_fd", 0);
    public static final Field NUM_COMP_VECTORS = STRUCTURE.u32("num_comp_vectors", 4);

    private GetContextResp() {}
  }

  /**
   * UVERBS_METHOD_GET_CONTEXT: opening a context. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
   * uverbs_attrs_get_context_attr_ids}.
   */
  public static final class GetContextAttrs {
    public static final Method METHOD =
        new Method(IoctlObject.DEVICE, "UVERBS_METHOD_GET_CONTEXT", 3);
    public static final Attribute NUM_COMP_VECTORS =
        METHOD.attribute("UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS", 0);
    public static final Attribute CORE_SUPPORT =
        METHOD.attribute("UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT", 1);
    public static final Attribute UHW_IN = METHOD.attribute("UVERBS_ATTR_UHW_IN", 0x1000);
    public static final Attribute UHW_OUT = METHOD.attribute("UVERBS_ATTR_UHW_OUT", 0x1001);

    private GetContextAttrs() {}
  }

  /**
   * UVERBS_METHOD_QUERY_CONTEXT: querying an open context. Mirrors {@code
   * rdma/ib_user_ioctl_cmds.h: uverbs_attrs_query_context_attr_ids} and {@code
   * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_device_query_context_attrs}.
   */
  public static final class QueryContextAttrs {
    public static final Method METHOD =
        new Method(IoctlObject.DEVICE, "UVERBS_METHOD_QUERY_CONTEXT", 4);
    public static final Attribute NUM_COMP_VECTORS =
        METHOD.attribute("UVERBS_ATTR_QUERY_CONTEXT_NUM_COMP_VECTORS", 0);
    public static final Attribute CORE_SUPPORT =
        METHOD.attribute("UVERBS_ATTR_QUERY_CONTEXT_CORE_SUPPORT", 1);
    public static final Attribute RESP_UCTX =
        METHOD.attribute("MLX5_IB_ATTR_QUERY_CONTEXT_RESP_UCTX", 0x1000);

    private QueryContextAttrs() {}
  }

  /**
   * The driver's input of GET_CONTEXT. Mirrors {@code rdma/mlx5-abi.h:
   * mlx5_ib_alloc_ucontext_req_v2}.
   */
  public static final class Mlx5AllocUcontextReqV2 {
    public static final Structure STRUCTURE =
        Structure.littleEndian("mlx5_ib_alloc_ucontext_req_v2", 32);
    public static final Field TOTAL_NUM_BFREGS = STRUCTURE.u32("total_num_bfregs", 0);
    public static final Field NUM_LOW_LATENCY_BFREGS = STRUCTURE.u32("num_low_latency_bfregs", 4);
    public static final Field FLAGS = STRUCTURE.u32("flags", 8);
    public static final Field MAX_CQE_VERSION = STRUCTURE.u8("max_cqe_version", 16);
    public static final Field LIB_CAPS = STRUCTURE.u64("lib_caps", 24);

    private Mlx5AllocUcontextReqV2() {}
  }

  /**
   * The driver's output of GET_CONTEXT. Mirrors {@code rdma/mlx5-abi.h:
   * mlx5_ib_alloc_ucontext_resp}.
   */
  public static final class Mlx5AllocUcontextResp {
    public static final Structure STRUCTURE =
        Structure.littleEndian("mlx5_ib_alloc_ucontext_resp", 72);
    public static final Field QP_TAB_SIZE = STRUCTURE.u32("qp_tab_size", 0);
    public static final Field BF_REG_SIZE = STRUCTURE.u32("bf_reg_size", 4);
    public static final Field TOT_BFREGS = STRUCTURE.u32("tot_bfregs", 8);
    public static final Field CACHE_LINE_SIZE = STRUCTURE.u32("cache_line_size", 12);
    public static final Field MAX_SQ_DESC_SZ = STRUCTURE.u16("max_sq_desc_sz", 16);
    public static final Field MAX_RQ_DESC_SZ = STRUCTURE.u16("max_rq_desc_sz", 18);
    public static final Field MAX_SEND_WQEBB = STRUCTURE.u32("max_send_wqebb", 20);
    public static final Field MAX_RECV_WR = STRUCTURE.u32("max_recv_wr", 24);
    public static final Field MAX_SRQ_RECV_WR = STRUCTURE.u32("max_srq_recv_wr", 28);
    public static final Field NUM_PORTS = STRUCTURE.u16("num_ports", 32);
    public static final Field COMP_MASK = STRUCTURE.u32("comp_mask", 36);
    public static final Field RESPONSE_LENGTH = STRUCTURE.u32("response_length", 40);
    public static final Field CQE_VERSION = STRUCTURE.u8("cqe_version", 44);
    public static final Field CMDS_SUPP_UHW = STRUCTURE.u8("cmds_supp_uhw", 45);
    public static final Field ETH_MIN_INLINE = STRUCTURE.u8("eth_min_inline", 46);
    public static final Field CLOCK_INFO_VERSIONS = STRUCTURE.u8("clock_info_versions", 47);
    public static final Field HCA_CORE_CLOCK_OFFSET = STRUCTURE.u64("hca_core_clock_offset", 48);
    public static final Field LOG_UAR_SIZE = STRUCTURE.u32("log_uar_size", 56);
    public static final Field NUM_UARS_PER_PAGE = STRUCTURE.u32("num_uars_per_page", 60);
    public static final Field NUM_DYN_BFREGS = STRUCTURE.u32("num_dyn_bfregs", 64);
    public static final Field DUMP_FILL_MKEY = STRUCTURE.u32("dump_fill_mkey", 68);

    private Mlx5AllocUcontextResp() {}
  }

  /**
   * The page with which clients convert timestamps of completions to time of day. Mirrors {@code
   * rdma/mlx5-abi.h: mlx5_ib_clock_info}.
   */
  public static final class Mlx5ClockInfo {
    public static final Structure STRUCTURE = Structure.littleEndian("mlx5_ib_clock_info", 56);
    public static final Field NSEC = STRUCTURE.u64("nsec", 8);
    public static final Field CYCLES = STRUCTURE.u64("cycles", 16);
    public static final Field MULT = STRUCTURE.u32("mult", 32);
    public static final Field MASK = STRUCTURE.u64("mask", 40);

    private Mlx5ClockInfo() {}
  }

  /** Input of QUERY_DEVICE. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_query_device}. */
  public static final class QueryDevice {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_query_device", 8);
    public static final Field RESPONSE = STRUCTURE.u64("response", 0);

    private QueryDevice() {}
  }

  /**
   * Output of QUERY_DEVICE. Both GUIDs are big-endian. Mirrors {@code rdma/ib_user_verbs.h:
   * ib_uverbs_query_device_resp}.
   */
  public static final class QueryDeviceResp {
    public static final Structure STRUCTURE =
        Structure.littleEndian("ib_uverbs_query_device_resp", 176);
    public static final Field FW_VER = STRUCTURE.u64("fw_ver", 0);
    public static final Field NODE_GUID = STRUCTURE.u64("node_guid", 8);
    public static final Field SYS_IMAGE_GUID = STRUCTURE.u64("sys_image_guid", 16);
    public static final Field MAX_MR_SIZE = STRUCTURE.u64("max_mr_size", 24);
    public static final Field PAGE_SIZE_CAP = STRUCTURE.u64("page_size_cap", 32);
    public static final Field VENDOR_ID = STRUCTURE.u32("vendor_id", 40);
    public static final Field VENDOR_PART_ID = STRUCTURE.u32("vendor_part_id", 44);
    public static final Field HW_VER = STRUCTURE.u32("hw_ver", 48);
    public static final Field MAX_QP = STRUCTURE.u32("max_qp", 52);
    public static final Field MAX_QP_WR = STRUCTURE.u32("max_qp_wr", 56);
    public static final Field DEVICE_CAP_FLAGS = STRUCTURE.u32("device_cap_flags", 60);
    public static final Field MAX_SGE = STRUCTURE.u32("max_sge", 64);
    public static final Field MAX_SGE_RD = STRUCTURE.u32("max_sge_rd", 68);
    public static final Field MAX_CQ = STRUCTURE.u32("max_cq", 72);
    public static final Field MAX_CQE = STRUCTURE.u32("max_cqe", 76);
    public static final Field MAX_MR = STRUCTURE.u32("max_mr", 80);
    public static final Field MAX_PD = STRUCTURE.u32("max_pd", 84);
    public static final Field MAX_QP_RD_ATOM = STRUCTURE.u32("max_qp_rd_atom", 88);
    public static final Field MAX_EE_RD_ATOM = STRUCTURE.u32("max_ee_rd_atom", 92);
    public static final Field MAX_RES_RD_ATOM = STRUCTURE.u32("max_res_rd_atom", 96);
    public static final Field MAX_QP_INIT_RD_ATOM = STRUCTURE.u32("max_qp_init_rd_atom", 100);
    public static final Field MAX_EE_INIT_RD_ATOM = STRUCTURE.u32("max_ee_init_rd_atom", 104);
    public static final Field ATOMIC_CAP = STRUCTURE.u32("atomic_cap", 108);
    public static final Field MAX_EE = STRUCTURE.u32("max_ee", 112);
    public static final Field MAX_RDD = STRUCTURE.u32("max_rdd", 116);
    public static final Field MAX_MW = STRUCTURE.u32("max_mw", 120);
    public static final Field MAX_RAW_IPV6_QP = STRUCTURE.u32("max_raw_ipv6_qp", 124);
    public static final Field MAX_RAW_ETHY_QP = STRUCTURE.u32("max_raw_ethy_qp", 128);
    public static final Field MAX_MCAST_GRP = STRUCTURE.u32("max_mcast_grp", 132);
    public static final Field MAX_MCAST_QP_ATTACH = STRUCTURE.u32("max_mcast_qp_attach", 136);
    public static final Field MAX_TOTAL_MCAST_QP_ATTACH =
        STRUCTURE.u32("max_total_mcast_qp_attach", 140);
    public static final Field MAX_AH = STRUCTURE.u32("max_ah", 144);
    public static final Field MAX_FMR = STRUCTURE.u32("max_fmr", 148);
    public static final Field MAX_SRQ = STRUCTURE.u32("max_srq", 156);
    public static final Field MAX_SRQ_WR = STRUCTURE.u32("max_srq_wr", 160);
    public static final Field MAX_SRQ_SGE = STRUCTURE.u32("max_srq_sge", 164);
    public static final Field MAX_PKEYS = STRUCTURE.u16("max_pkeys", 168);
    public static final Field LOCAL_CA_ACK_DELAY = STRUCTURE.u8("local_ca_ack_delay", 170);
    public static final Field PHYS_PORT_CNT = STRUCTURE.u8("phys_port_cnt", 171);

    private QueryDeviceResp() {}
  }

  /**
   * Input of the extended QUERY_DEVICE. Mirrors {@code rdma/ib_user_verbs.h:
   * ib_uverbs_ex_query_device}.
   */
  public static final class ExQueryDevice {
    public static final Structure STRUCTURE =
        Structure.littleEndian("ib_uverbs_ex_query_device", 8);

    private ExQueryDevice() {}
  }

  /**
   * Output of the extended QUERY_DEVICE. The clock is in kHz. Mirrors {@code rdma/ib_user_verbs.h:
   * ib_uverbs_ex_query_device_resp}.
   */
  public static final class ExQueryDeviceResp {
    public static final Structure STRUCTURE =
        Structure.littleEndian("ib_uverbs_ex_query_device_resp", 304);
    public static final Area BASE = STRUCTURE.struct("base", 0, QueryDeviceResp.STRUCTURE);
    public static final Field RESPONSE_LENGTH = STRUCTURE.u32("response_length", 180);
    public static final Area ODP_CAPS = STRUCTURE.struct("odp_caps", 184, OdpCaps.STRUCTURE);
    public static final Field TIMESTAMP_MASK = STRUCTURE.u64("timestamp_mask", 208);
    public static final Field HCA_CORE_CLOCK = STRUCTURE.u64("hca_core_clock", 216);
    public static final Field DEVICE_CAP_FLAGS_EX = STRUCTURE.u64("device_cap_flags_ex", 224);
    public static final Field MAX_WQ_TYPE_RQ = STRUCTURE.u32("max_wq_type_rq", 248);
    public static final Area TM_CAPS = STRUCTURE.struct("tm_caps", 256, TmCaps.STRUCTURE);
    public static final Area CQ_MODERATION_CAPS =
        STRUCTURE.struct("cq_moderation_caps", 280, CqModerationCaps.STRUCTURE);
    public static final Field MAX_DM_SIZE = STRUCTURE.u64("max_dm_size", 288);
    public static final Field XRC_ODP_CAPS = STRUCTURE.u32("xrc_odp_caps", 296);

    private ExQueryDeviceResp() {}
  }

  /**
   * On-demand paging in {@link ExQueryDeviceResp}. Mirrors {@code rdma/ib_user_verbs.h:
   * ib_uverbs_odp_caps}.
   */
  public static final class OdpCaps {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_odp_caps", 24);
    public static final Field GENERAL_CAPS = STRUCTURE.u64("general_caps", 0);
    public static final Field RC_ODP_CAPS = STRUCTURE.u32("per_transport_caps.rc_odp_caps", 8);
    public static final Field UC_ODP_CAPS = STRUCTURE.u32("per_transport_caps.uc_odp_caps", 12);
    public static final Field UD_ODP_CAPS = STRUCTURE.u32("per_transport_caps.ud_odp_caps", 16);

    private OdpCaps() {}
  }

  /**
   * Tag matching in {@link ExQueryDeviceResp}. Mirrors {@code rdma/ib_user_verbs.h:
   * ib_uverbs_tm_caps}.
   */
  public static final class TmCaps {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_tm_caps", 24);

    /** Bytes of the largest message that asks for a rendezvous. */
    public static final Field MAX_RNDV_HDR_SIZE = STRUCTURE.u32("max_rndv_hdr_size", 0);

    public static final Field MAX_NUM_TAGS = STRUCTURE.u32("max_num_tags", 4);
    public static final Field FLAGS = STRUCTURE.u32("flags", 8);
    public static final Field MAX_OPS = STRUCTURE.u32("max_ops", 12);
    public static final Field MAX_SGE = STRUCTURE.u32("max_sge", 16);

    private TmCaps() {}
  }

  /**
   * Moderation of completion events in {@link ExQueryDeviceResp}. Mirrors {@code
   * rdma/ib_user_verbs.h: ib_uverbs_cq_moderation_caps}.
   */
  public static final class CqModerationCaps {
    public static final Structure STRUCTURE =
        Structure.littleEndian("ib_uverbs_cq_moderation_caps", 8);
    public static final Field MAX_CQ_MODERATION_COUNT = STRUCTURE.u16("max_cq_moderation_count", 0);
    public static final Field MAX_CQ_MODERATION_PERIOD =
        STRUCTURE.u16("max_cq_moderation_period", 2);

    private CqModerationCaps() {}
  }

  /**
   * The driver's output of QUERY_DEVICE: compression of completions, streams, and offloads, which
   * the device does not have. The size is that of Linux 6.8 and later. Mirrors {@code
   * rdma/mlx5-abi.h: mlx5_ib_query_device_resp}.
   */
  public static final class Mlx5QueryDeviceResp {
    public static final Structure STRUCTURE =
        Structure.littleEndian("mlx5_ib_query_device_resp", 112);
    public static final Field RESPONSE_LENGTH = STRUCTURE.u32("response_length", 4);

    /** Maximum number of completions in a compressed session; 0 on a device without compression. */
    public static final Field MAX_NUM = STRUCTURE.u32("cqe_comp_caps.max_num", 32);

    /** Of {@code Mlx5.IB_CQE_RES_FORMAT_*}. */
    public static final Field SUPPORTED_FORMAT =
        STRUCTURE.u32("cqe_comp_caps.supported_format", 36);

    public static final Field FLAGS = STRUCTURE.u32("flags", 60);
    public static final Field MAX_LOG_NUM_CONCURENT =
        STRUCTURE.u8("dci_streams_caps.max_log_num_concurent", 100);
    public static final Field MAX_LOG_NUM_ERRORED =
        STRUCTURE.u8("dci_streams_caps.max_log_num_errored", 101);

    private Mlx5QueryDeviceResp() {}
  }

  /** Input of QUERY_PORT. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_query_port}. */
  public static final class QueryPort {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_query_port", 16);
    public static final Field RESPONSE = STRUCTURE.u64("response", 0);
    public static final Field PORT_NUM = STRUCTURE.u8("port_num", 8);

    private QueryPort() {}
  }

  /** Output of QUERY_PORT. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_query_port_resp}. */
  public static final class QueryPortResp {
    public static final Structure STRUCTURE =
        Structure.littleEndian("ib_uverbs_query_port_resp", 40);
    public static final Field PORT_CAP_FLAGS = STRUCTURE.u32("port_cap_flags", 0);
    public static final Field MAX_MSG_SZ = STRUCTURE.u32("max_msg_sz", 4);
    public static final Field BAD_PKEY_CNTR = STRUCTURE.u32("bad_pkey_cntr", 8);
    public static final Field QKEY_VIOL_CNTR = STRUCTURE.u32("qkey_viol_cntr", 12);
    public static final Field GID_TBL_LEN = STRUCTURE.u32("gid_tbl_len", 16);
    public static final Field PKEY_TBL_LEN = STRUCTURE.u16("pkey_tbl_len", 20);
    public static final Field LID = STRUCTURE.u16("lid", 22);
    public static final Field SM_LID = STRUCTURE.u16("sm_lid", 24);
    public static final Field STATE = STRUCTURE.u8("state", 26);
    public static final Field MAX_MTU = STRUCTURE.u8("max_mtu", 27);
    public static final Field ACTIVE_MTU = STRUCTURE.u8("active_mtu", 28);
    public static final Field LMC = STRUCTURE.u8("lmc", 29);
    public static final Field MAX_VL_NUM = STRUCTURE.u8("max_vl_num", 30);
    public static final Field SM_SL = STRUCTURE.u8("sm_sl", 31);
    public static final Field SUBNET_TIMEOUT = STRUCTURE.u8("subnet_timeout", 32);
    public static final Field INIT_TYPE_REPLY = STRUCTURE.u8("init_type_reply", 33);
    public static final Field ACTIVE_WIDTH = STRUCTURE.u8("active_width", 34);
    public static final Field ACTIVE_SPEED = STRUCTURE.u8("active_speed", 35);
    public static final Field PHYS_STATE = STRUCTURE.u8("phys_state", 36);
    public static final Field LINK_LAYER = STRUCTURE.u8("link_layer", 37);
    public static final Field FLAGS = STRUCTURE.u8("flags", 38);

    private QueryPortResp() {}
  }

  /**
   * Output of UVERBS_METHOD_QUERY_PORT. Mirrors {@code rdma/ib_user_ioctl_verbs.h:
   * ib_uverbs_query_port_resp_ex}.
   */
  public static final class QueryPortRespEx {
    public static final Structure STRUCTURE =
        Structure.littleEndian("ib_uverbs_query_port_resp_ex", 48);
    public static final Area LEGACY_RESP =
        STRUCTURE.struct("legacy_resp", 0, QueryPortResp.STRUCTURE);
    public static final Field PORT_CAP_FLAGS2 = STRUCTURE.u16("port_cap_flags2", 40);

    private QueryPortRespEx() {}
  }

  /**
   * UVERBS_METHOD_QUERY_PORT: the state of a port. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
   * uverbs_attrs_query_port_cmd_attr_ids}.
   */
  public static final class QueryPortAttrs {
    public static final Method METHOD =
        new Method(IoctlObject.DEVICE, "UVERBS_METHOD_QUERY_PORT", 2);
    public static final Attribute PORT_NUM = METHOD.attribute("UVERBS_ATTR_QUERY_PORT_PORT_NUM", 0);
    public static final Attribute RESP = METHOD.attribute("UVERBS_ATTR_QUERY_PORT_RESP", 1);

    private QueryPortAttrs() {}
  }

  /** An entry of the GID table. Mirrors {@code rdma/ib_user_ioctl_verbs.h: ib_uverbs_gid_entry}. */
  public static final class GidEntry {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_gid_entry", 32);
    public static final Field GID = STRUCTURE.bytes("gid", 0, 16);
    public static final Field GID_INDEX = STRUCTURE.u32("gid_index", 16);
    public static final Field PORT_NUM = STRUCTURE.u32("port_num", 20);
    public static final Field GID_TYPE = STRUCTURE.u32("gid_type", 24);
    public static final Field NETDEV_IFINDEX = STRUCTURE.u32("netdev_ifindex", 28);

    private GidEntry() {}
  }

  /**
   * UVERBS_METHOD_QUERY_GID_ENTRY: one GID. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
   * uverbs_attrs_query_gid_entry_cmd_attr_ids}.
   */
  public static final class QueryGidEntryAttrs {
    public static final Method METHOD =
        new Method(IoctlObject.DEVICE, "UVERBS_METHOD_QUERY_GID_ENTRY", 6);
    public static final Attribute PORT = METHOD.attribute("UVERBS_ATTR_QUERY_GID_ENTRY_PORT", 0);
    public static final Attribute GID_INDEX =
        METHOD.attribute("UVERBS_ATTR_QUERY_GID_ENTRY_GID_INDEX", 1);
    public static final Attribute FLAGS = METHOD.attribute("UVERBS_ATTR_QUERY_GID_ENTRY_FLAGS", 2);
    public static final Attribute RESP_ENTRY =
        METHOD.attribute("UVERBS_ATTR_QUERY_GID_ENTRY_RESP_ENTRY", 3);

    private QueryGidEntryAttrs() {}
  }

  /**
   * UVERBS_METHOD_QUERY_GID_TABLE: all GIDs. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
   * uverbs_attrs_query_gid_table_cmd_attr_ids}.
   */
  public static final class QueryGidTableAttrs {
    public static final Method METHOD =
        new Method(IoctlObject.DEVICE, "UVERBS_METHOD_QUERY_GID_TABLE", 5);
    public static final Attribute ENTRY_SIZE =
        METHOD.attribute("UVERBS_ATTR_QUERY_GID_TABLE_ENTRY_SIZE", 0);
    public static final Attribute FLAGS = METHOD.attribute("UVERBS_ATTR_QUERY_GID_TABLE_FLAGS", 1);
    public static final Attribute RESP_ENTRIES =
        METHOD.attribute("UVERBS_ATTR_QUERY_GID_TABLE_RESP_ENTRIES", 2);
    public static final Attribute RESP_NUM_ENTRIES =
        METHOD.attribute("UVERBS_ATTR_QUERY_GID_TABLE_RESP_NUM_ENTRIES", 3);

    private QueryGidTableAttrs() {}
  }

  private DeviceAbi() {}
}
