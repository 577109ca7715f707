package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Queue pairs and multicast groups. */
public final class QpAbi {
  /** Input of CREATE_QP. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_create_qp}. */
  public static final class CreateQp {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_create_qp", 56);
    public static final Field RESPONSE = STRUCTURE.u64("response", 0);
    public static final Field USER_HANDLE = STRUCTURE.u64("user_handle", 8);
    public static final Field PD_HANDLE = STRUCTURE.u32("pd_handle", 16);
    public static final Field SEND_CQ_HANDLE = STRUCTURE.u32("send_cq_handle", 20);
    public static final Field RECV_CQ_HANDLE = STRUCTURE.u32("recv_cq_handle", 24);
    public static final Field SRQ_HANDLE = STRUCTURE.u32("srq_handle", 28);
    public static final Area CAP = STRUCTURE.inline(32, QpCap.STRUCTURE);
    public static final Field SQ_SIG_ALL = STRUCTURE.u8("sq_sig_all", 52);
    public static final Field QP_TYPE = STRUCTURE.u8("qp_type", 53);
    public static final Field IS_SRQ = STRUCTURE.u8("is_srq", 54);

    private CreateQp() {}
  }

  /** Output of CREATE_QP. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_create_qp_resp}. */
  public static final class CreateQpResp {
    public static final Structure STRUCTURE =
        Structure.littleEndian("ib_uverbs_create_qp_resp", 32);
    public static final Field QP_HANDLE = STRUCTURE.u32("qp_handle", 0);
    public static final Field QPN = STRUCTURE.u32("qpn", 4);
    public static final Area CAP = STRUCTURE.inline(8, QpCap.STRUCTURE);

    private CreateQpResp() {}
  }

  /**
   * Input of the extended CREATE_QP. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_ex_create_qp}.
   */
  public static final class ExCreateQp {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_ex_create_qp", 64);
    public static final Field USER_HANDLE = STRUCTURE.u64("user_handle", 0);
    public static final Field PD_HANDLE = STRUCTURE.u32("pd_handle", 8);
    public static final Field SEND_CQ_HANDLE = STRUCTURE.u32("send_cq_handle", 12);
    public static final Field RECV_CQ_HANDLE = STRUCTURE.u32("recv_cq_handle", 16);
    public static final Field SRQ_HANDLE = STRUCTURE.u32("srq_handle", 20);
    public static final Area CAP = STRUCTURE.inline(24, QpCap.STRUCTURE);
    public static final Field SQ_SIG_ALL = STRUCTURE.u8("sq_sig_all", 44);
    public static final Field QP_TYPE = STRUCTURE.u8("qp_type", 45);
    public static final Field IS_SRQ = STRUCTURE.u8("is_srq", 46);
    public static final Field CREATE_FLAGS = STRUCTURE.u32("create_flags", 52);

    private ExCreateQp() {}
  }

  /**
   * Output of the extended CREATE_QP. Mirrors {@code rdma/ib_user_verbs.h:
   * ib_uverbs_ex_create_qp_resp}.
   */
  public static final class ExCreateQpResp {
    public static final Structure STRUCTURE =
        Structure.littleEndian("ib_uverbs_ex_create_qp_resp", 40);
    public static final Area BASE = STRUCTURE.struct("base", 0, CreateQpResp.STRUCTURE);
    public static final Field RESPONSE_LENGTH = STRUCTURE.u32("response_length", 36);

    private ExCreateQpResp() {}
  }

  /**
   * UVERBS_METHOD_QP_CREATE: creating a QP. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
   * uverbs_attrs_create_qp_cmd_attr_ids}.
   */
  public static final class CreateQpAttrs {
    public static final Method METHOD = new Method(IoctlObject.QP, "UVERBS_METHOD_QP_CREATE", 0);
    public static final Attribute HANDLE = METHOD.attribute("UVERBS_ATTR_CREATE_QP_HANDLE", 0);
    public static final Attribute XRCD_HANDLE =
        METHOD.attribute("UVERBS_ATTR_CREATE_QP_XRCD_HANDLE", 1);
    public static final Attribute PD_HANDLE =
        METHOD.attribute("UVERBS_ATTR_CREATE_QP_PD_HANDLE", 2);
    public static final Attribute SRQ_HANDLE =
        METHOD.attribute("UVERBS_ATTR_CREATE_QP_SRQ_HANDLE", 3);
    public static final Attribute SEND_CQ_HANDLE =
        METHOD.attribute("UVERBS_ATTR_CREATE_QP_SEND_CQ_HANDLE", 4);
    public static final Attribute RECV_CQ_HANDLE =
        METHOD.attribute("UVERBS_ATTR_CREATE_QP_RECV_CQ_HANDLE", 5);
    public static final Attribute IND_TABLE_HANDLE =
        METHOD.attribute("UVERBS_ATTR_CREATE_QP_IND_TABLE_HANDLE", 6);
    public static final Attribute USER_HANDLE =
        METHOD.attribute("UVERBS_ATTR_CREATE_QP_USER_HANDLE", 7);
    public static final Attribute CAP = METHOD.attribute("UVERBS_ATTR_CREATE_QP_CAP", 8);
    public static final Attribute TYPE = METHOD.attribute("UVERBS_ATTR_CREATE_QP_TYPE", 9);
    public static final Attribute FLAGS = METHOD.attribute("UVERBS_ATTR_CREATE_QP_FLAGS", 10);
    public static final Attribute SOURCE_QPN =
        METHOD.attribute("UVERBS_ATTR_CREATE_QP_SOURCE_QPN", 11);
    public static final Attribute EVENT_FD = METHOD.attribute("UVERBS_ATTR_CREATE_QP_EVENT_FD", 12);
    public static final Attribute RESP_CAP = METHOD.attribute("UVERBS_ATTR_CREATE_QP_RESP_CAP", 13);
    public static final Attribute RESP_QP_NUM =
        METHOD.attribute("UVERBS_ATTR_CREATE_QP_RESP_QP_NUM", 14);
    public static final Attribute UHW_IN = METHOD.attribute("UVERBS_ATTR_UHW_IN", 0x1000);
    public static final Attribute UHW_OUT = METHOD.attribute("UVERBS_ATTR_UHW_OUT", 0x1001);

    private CreateQpAttrs() {}
  }

  /** Input of OPEN_QP. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_open_qp}. */
  public static final class OpenQp {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_open_qp", 32);
    public static final Field RESPONSE = STRUCTURE.u64("response", 0);
    public static final Field USER_HANDLE = STRUCTURE.u64("user_handle", 8);
    public static final Field PD_HANDLE = STRUCTURE.u32("pd_handle", 16);
    public static final Field QPN = STRUCTURE.u32("qpn", 20);
    public static final Field QP_TYPE = STRUCTURE.u8("qp_type", 24);

    private OpenQp() {}
  }

  /**
   * The sizes of a QP's queues. Other structures contain these fields directly. Mirrors {@code
   * rdma/ib_user_ioctl_verbs.h: ib_uverbs_qp_cap}.
   */
  public static final class QpCap {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_qp_cap", 20);
    public static final Field MAX_SEND_WR = STRUCTURE.u32("max_send_wr", 0);
    public static final Field MAX_RECV_WR = STRUCTURE.u32("max_recv_wr", 4);
    public static final Field MAX_SEND_SGE = STRUCTURE.u32("max_send_sge", 8);
    public static final Field MAX_RECV_SGE = STRUCTURE.u32("max_recv_sge", 12);
    public static final Field MAX_INLINE_DATA = STRUCTURE.u32("max_inline_data", 16);

    private QpCap() {}
  }

  /**
   * A path in {@link ModifyQp} and {@link QueryQpResp}. Mirrors {@code rdma/ib_user_verbs.h:
   * ib_uverbs_qp_dest}.
   */
  public static final class QpDest {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_qp_dest", 32);
    public static final Field DGID = STRUCTURE.bytes("dgid", 0, 16);
    public static final Field FLOW_LABEL = STRUCTURE.u32("flow_label", 16);
    public static final Field DLID = STRUCTURE.u16("dlid", 20);
    public static final Field SGID_INDEX = STRUCTURE.u8("sgid_index", 24);
    public static final Field HOP_LIMIT = STRUCTURE.u8("hop_limit", 25);
    public static final Field TRAFFIC_CLASS = STRUCTURE.u8("traffic_class", 26);
    public static final Field SL = STRUCTURE.u8("sl", 27);
    public static final Field SRC_PATH_BITS = STRUCTURE.u8("src_path_bits", 28);
    public static final Field STATIC_RATE = STRUCTURE.u8("static_rate", 29);
    public static final Field IS_GLOBAL = STRUCTURE.u8("is_global", 30);
    public static final Field PORT_NUM = STRUCTURE.u8("port_num", 31);

    private QpDest() {}
  }

  /**
   * The driver's input of CREATE_QP. With MLX5_QP_FLAG_UAR_PAGE_INDEX, {@code bfreg_index} is the
   * number of a UAR page. Mirrors {@code rdma/mlx5-abi.h: mlx5_ib_create_qp}.
   */
  public static final class Mlx5CreateQp {
    public static final Structure STRUCTURE = Structure.littleEndian("mlx5_ib_create_qp", 56);
    public static final Field BUF_ADDR = STRUCTURE.u64("buf_addr", 0);
    public static final Field DB_ADDR = STRUCTURE.u64("db_addr", 8);
    public static final Field SQ_WQE_COUNT = STRUCTURE.u32("sq_wqe_count", 16);
    public static final Field RQ_WQE_COUNT = STRUCTURE.u32("rq_wqe_count", 20);
    public static final Field RQ_WQE_SHIFT = STRUCTURE.u32("rq_wqe_shift", 24);
    public static final Field FLAGS = STRUCTURE.u32("flags", 28);
    public static final Field UIDX = STRUCTURE.u32("uidx", 32);
    public static final Field BFREG_INDEX = STRUCTURE.u32("bfreg_index", 36);

    /** For DC targets; others have the address of their send queue here, {@code sq_buf_addr}. */
    public static final Field ACCESS_KEY = STRUCTURE.u64("access_key", 40);

    public static final Field LOG_NUM_CONCURENT = STRUCTURE.u8("dci_streams.log_num_concurent", 52);
    public static final Field LOG_NUM_ERRORED = STRUCTURE.u8("dci_streams.log_num_errored", 53);

    private Mlx5CreateQp() {}
  }

  /** The driver's output of CREATE_QP. Mirrors {@code rdma/mlx5-abi.h: mlx5_ib_create_qp_resp}. */
  public static final class Mlx5CreateQpResp {
    public static final Structure STRUCTURE = Structure.littleEndian("mlx5_ib_create_qp_resp", 40);
    public static final Field BFREG_INDEX = STRUCTURE.u32("bfreg_index", 0);

    private Mlx5CreateQpResp() {}
  }

  /**
   * Input of MODIFY_QP. The bits of {@code attr_mask} say which fields count. Mirrors {@code
   * rdma/ib_user_verbs.h: ib_uverbs_modify_qp}.
   */
  public static final class ModifyQp {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_modify_qp", 112);
    public static final Area DEST = STRUCTURE.struct("dest", 0, QpDest.STRUCTURE);
    public static final Field QP_HANDLE = STRUCTURE.u32("qp_handle", 64);
    public static final Field ATTR_MASK = STRUCTURE.u32("attr_mask", 68);
    public static final Field QKEY = STRUCTURE.u32("qkey", 72);
    public static final Field RQ_PSN = STRUCTURE.u32("rq_psn", 76);
    public static final Field SQ_PSN = STRUCTURE.u32("sq_psn", 80);
    public static final Field DEST_QP_NUM = STRUCTURE.u32("dest_qp_num", 84);
    public static final Field QP_ACCESS_FLAGS = STRUCTURE.u32("qp_access_flags", 88);
    public static final Field PKEY_INDEX = STRUCTURE.u16("pkey_index", 92);
    public static final Field QP_STATE = STRUCTURE.u8("qp_state", 96);
    public static final Field CUR_QP_STATE = STRUCTURE.u8("cur_qp_state", 97);
    public static final Field PATH_MTU = STRUCTURE.u8("path_mtu", 98);
    public static final Field PATH_MIG_STATE = STRUCTURE.u8("path_mig_state", 99);
    public static final Field MAX_RD_ATOMIC = STRUCTURE.u8("max_rd_atomic", 101);
    public static final Field MAX_DEST_RD_ATOMIC = STRUCTURE.u8("max_dest_rd_atomic", 102);
    public static final Field MIN_RNR_TIMER = STRUCTURE.u8("min_rnr_timer", 103);
    public static final Field PORT_NUM = STRUCTURE.u8("port_num", 104);
    public static final Field TIMEOUT = STRUCTURE.u8("timeout", 105);
    public static final Field RETRY_CNT = STRUCTURE.u8("retry_cnt", 106);
    public static final Field RNR_RETRY = STRUCTURE.u8("rnr_retry", 107);

    private ModifyQp() {}
  }

  /**
   * Output of the extended MODIFY_QP. Mirrors {@code rdma/ib_user_verbs.h:
   * ib_uverbs_ex_modify_qp_resp}.
   */
  public static final class ExModifyQpResp {
    public static final Structure STRUCTURE =
        Structure.littleEndian("ib_uverbs_ex_modify_qp_resp", 8);
    public static final Field RESPONSE_LENGTH = STRUCTURE.u32("response_length", 4);

    private ExModifyQpResp() {}
  }

  /** The driver's input of MODIFY_QP. Mirrors {@code rdma/mlx5-abi.h: mlx5_ib_modify_qp}. */
  public static final class Mlx5ModifyQp {
    public static final Structure STRUCTURE = Structure.littleEndian("mlx5_ib_modify_qp", 16);
    public static final Field COMP_MASK = STRUCTURE.u32("comp_mask", 0);
    public static final Field RESERVED = STRUCTURE.u16("burst_info.reserved", 10);

    private Mlx5ModifyQp() {}
  }

  /**
   * The driver's output of the extended MODIFY_QP. Mirrors {@code rdma/mlx5-abi.h:
   * mlx5_ib_modify_qp_resp}.
   */
  public static final class Mlx5ModifyQpResp {
    public static final Structure STRUCTURE = Structure.littleEndian("mlx5_ib_modify_qp_resp", 16);
    public static final Field RESPONSE_LENGTH = STRUCTURE.u32("response_length", 0);
    public static final Field DCTN = STRUCTURE.u32("dctn", 4);

    private Mlx5ModifyQpResp() {}
  }

  /** Input of QUERY_QP. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_query_qp}. */
  public static final class QueryQp {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_query_qp", 16);
    public static final Field RESPONSE = STRUCTURE.u64("response", 0);
    public static final Field QP_HANDLE = STRUCTURE.u32("qp_handle", 8);
    public static final Field ATTR_MASK = STRUCTURE.u32("attr_mask", 12);

    private QueryQp() {}
  }

  /** Output of QUERY_QP. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_query_qp_resp}. */
  public static final class QueryQpResp {
    public static final Structure STRUCTURE =
        Structure.littleEndian("ib_uverbs_query_qp_resp", 128);
    public static final Area DEST = STRUCTURE.struct("dest", 0, QpDest.STRUCTURE);
    public static final Area CAP = STRUCTURE.inline(64, QpCap.STRUCTURE);
    public static final Field QKEY = STRUCTURE.u32("qkey", 84);
    public static final Field RQ_PSN = STRUCTURE.u32("rq_psn", 88);
    public static final Field SQ_PSN = STRUCTURE.u32("sq_psn", 92);
    public static final Field DEST_QP_NUM = STRUCTURE.u32("dest_qp_num", 96);
    public static final Field QP_ACCESS_FLAGS = STRUCTURE.u32("qp_access_flags", 100);
    public static final Field PKEY_INDEX = STRUCTURE.u16("pkey_index", 104);
    public static final Field QP_STATE = STRUCTURE.u8("qp_state", 108);
    public static final Field CUR_QP_STATE = STRUCTURE.u8("cur_qp_state", 109);
    public static final Field PATH_MTU = STRUCTURE.u8("path_mtu", 110);
    public static final Field MAX_RD_ATOMIC = STRUCTURE.u8("max_rd_atomic", 113);
    public static final Field MAX_DEST_RD_ATOMIC = STRUCTURE.u8("max_dest_rd_atomic", 114);
    public static final Field MIN_RNR_TIMER = STRUCTURE.u8("min_rnr_timer", 115);
    public static final Field PORT_NUM = STRUCTURE.u8("port_num", 116);
    public static final Field TIMEOUT = STRUCTURE.u8("timeout", 117);
    public static final Field RETRY_CNT = STRUCTURE.u8("retry_cnt", 118);
    public static final Field RNR_RETRY = STRUCTURE.u8("rnr_retry", 119);
    public static final Field SQ_SIG_ALL = STRUCTURE.u8("sq_sig_all", 122);

    private QueryQpResp() {}
  }

  /** Input of DESTROY_QP. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_destroy_qp}. */
  public static final class DestroyQp {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_destroy_qp", 16);
    public static final Field RESPONSE = STRUCTURE.u64("response", 0);
    public static final Field QP_HANDLE = STRUCTURE.u32("qp_handle", 8);

    private DestroyQp() {}
  }

  /** Output of DESTROY_QP. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_destroy_qp_resp}. */
  public static final class DestroyQpResp {
    public static final Structure STRUCTURE =
        Structure.littleEndian("ib_uverbs_destroy_qp_resp", 4);
    public static final Field EVENTS_REPORTED = STRUCTURE.u32("events_reported", 0);

    private DestroyQpResp() {}
  }

  /**
   * UVERBS_METHOD_QP_DESTROY: destroying a QP. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
   * uverbs_attrs_destroy_qp_cmd_attr_ids}.
   */
  public static final class DestroyQpAttrs {
    public static final Method METHOD = new Method(IoctlObject.QP, "UVERBS_METHOD_QP_DESTROY", 1);
    public static final Attribute HANDLE = METHOD.attribute("UVERBS_ATTR_DESTROY_QP_HANDLE", 0);
    public static final Attribute RESP = METHOD.attribute("UVERBS_ATTR_DESTROY_QP_RESP", 1);

    private DestroyQpAttrs() {}
  }

  /** Input of ATTACH_MCAST. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_attach_mcast}. */
  public static final class AttachMcast {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_attach_mcast", 24);
    public static final Field GID = STRUCTURE.bytes("gid", 0, 16);
    public static final Field QP_HANDLE = STRUCTURE.u32("qp_handle", 16);
    public static final Field MLID = STRUCTURE.u16("mlid", 20);

    private AttachMcast() {}
  }

  /** Input of DETACH_MCAST. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_detach_mcast}. */
  public static final class DetachMcast {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_detach_mcast", 24);
    public static final Field GID = STRUCTURE.bytes("gid", 0, 16);
    public static final Field QP_HANDLE = STRUCTURE.u32("qp_handle", 16);
    public static final Field MLID = STRUCTURE.u16("mlid", 20);

    private DetachMcast() {}
  }

  private QpAbi() {}
}
