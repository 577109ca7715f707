package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Queue pairs and multicast groups. */
public final class QpAbi {
  /** Input of CREATE_QP. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_create_qp}. */
  public static final class CreateQp {
    private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_create_qp", 56);

    public static final Field RESPONSE = D.u64("response", 0);
    public static final Field USER_HANDLE = D.u64("user_handle", 8);
    public static final Field PD_HANDLE = D.u32("pd_handle", 16);
    public static final Field SEND_CQ_HANDLE = D.u32("send_cq_handle", 20);
    public static final Field RECV_CQ_HANDLE = D.u32("recv_cq_handle", 24);
    public static final Field SRQ_HANDLE = D.u32("srq_handle", 28);
    public static final Area CAP = D.inline(32, QpCap.STRUCTURE);
    public static final Field SQ_SIG_ALL = D.u8("sq_sig_all", 52);
    public static final Field QP_TYPE = D.u8("qp_type", 53);
    public static final Field IS_SRQ = D.u8("is_srq", 54);

    public static final Structure STRUCTURE = D.structure();

    private CreateQp() {}
  }

  /** Output of CREATE_QP. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_create_qp_resp}. */
  public static final class CreateQpResp {
    private static final Structure.Definition D =
        Structure.littleEndian("ib_uverbs_create_qp_resp", 32);

    public static final Field QP_HANDLE = D.u32("qp_handle", 0);
    public static final Field QPN = D.u32("qpn", 4);
    public static final Area CAP = D.inline(8, QpCap.STRUCTURE);

    public static final Structure STRUCTURE = D.structure();

    private CreateQpResp() {}
  }

  /**
   * Input of the extended CREATE_QP. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_ex_create_qp}.
   */
  public static final class ExCreateQp {
    private static final Structure.Definition D =
        Structure.littleEndian("ib_uverbs_ex_create_qp", 64);

    public static final Field USER_HANDLE = D.u64("user_handle", 0);
    public static final Field PD_HANDLE = D.u32("pd_handle", 8);
    public static final Field SEND_CQ_HANDLE = D.u32("send_cq_handle", 12);
    public static final Field RECV_CQ_HANDLE = D.u32("recv_cq_handle", 16);
    public static final Field SRQ_HANDLE = D.u32("srq_handle", 20);
    public static final Area CAP = D.inline(24, QpCap.STRUCTURE);
    public static final Field SQ_SIG_ALL = D.u8("sq_sig_all", 44);
    public static final Field QP_TYPE = D.u8("qp_type", 45);
    public static final Field IS_SRQ = D.u8("is_srq", 46);
    public static final Field CREATE_FLAGS = D.u32("create_flags", 52);

    public static final Structure STRUCTURE = D.structure();

    private ExCreateQp() {}
  }

  /**
   * Output of the extended CREATE_QP. Mirrors {@code rdma/ib_user_verbs.h:
   * ib_uverbs_ex_create_qp_resp}.
   */
  public static final class ExCreateQpResp {
    private static final Structure.Definition D =
        Structure.littleEndian("ib_uverbs_ex_create_qp_resp", 40);

    public static final Area BASE = D.struct("base", 0, CreateQpResp.STRUCTURE);
    public static final Field RESPONSE_LENGTH = D.u32("response_length", 36);

    public static final Structure STRUCTURE = D.structure();

    private ExCreateQpResp() {}
  }

  /**
   * UVERBS_METHOD_QP_CREATE: creating a QP. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
   * uverbs_attrs_create_qp_cmd_attr_ids}.
   */
  public static final class CreateQpAttrs {
    private static final Method.Definition D =
        Method.define(IoctlObject.QP, "UVERBS_METHOD_QP_CREATE", 0);

    public static final Attribute HANDLE = D.attribute("UVERBS_ATTR_CREATE_QP_HANDLE", 0);
    public static final Attribute XRCD_HANDLE = D.attribute("UVERBS_ATTR_CREATE_QP_XRCD_HANDLE", 1);
    public static final Attribute PD_HANDLE = D.attribute("UVERBS_ATTR_CREATE_QP_PD_HANDLE", 2);
    public static final Attribute SRQ_HANDLE = D.attribute("UVERBS_ATTR_CREATE_QP_SRQ_HANDLE", 3);
    public static final Attribute SEND_CQ_HANDLE =
        D.attribute("UVERBS_ATTR_CREATE_QP_SEND_CQ_HANDLE", 4);
    public static final Attribute RECV_CQ_HANDLE =
        D.attribute("UVERBS_ATTR_CREATE_QP_RECV_CQ_HANDLE", 5);
    public static final Attribute IND_TABLE_HANDLE =
        D.attribute("UVERBS_ATTR_CREATE_QP_IND_TABLE_HANDLE", 6);
    public static final Attribute USER_HANDLE = D.attribute("UVERBS_ATTR_CREATE_QP_USER_HANDLE", 7);
    public static final Attribute CAP = D.attribute("UVERBS_ATTR_CREATE_QP_CAP", 8);
    public static final Attribute TYPE = D.attribute("UVERBS_ATTR_CREATE_QP_TYPE", 9);
    public static final Attribute FLAGS = D.attribute("UVERBS_ATTR_CREATE_QP_FLAGS", 10);
    public static final Attribute SOURCE_QPN = D.attribute("UVERBS_ATTR_CREATE_QP_SOURCE_QPN", 11);
    public static final Attribute EVENT_FD = D.attribute("UVERBS_ATTR_CREATE_QP_EVENT_FD", 12);
    public static final Attribute RESP_CAP = D.attribute("UVERBS_ATTR_CREATE_QP_RESP_CAP", 13);
    public static final Attribute RESP_QP_NUM =
        D.attribute("UVERBS_ATTR_CREATE_QP_RESP_QP_NUM", 14);
    public static final Attribute UHW_IN = D.attribute("UVERBS_ATTR_UHW_IN", 0x1000);
    public static final Attribute UHW_OUT = D.attribute("UVERBS_ATTR_UHW_OUT", 0x1001);

    public static final Method METHOD = D.method();

    private CreateQpAttrs() {}
  }

  /** Input of OPEN_QP. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_open_qp}. */
  public static final class OpenQp {
    private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_open_qp", 32);

    public static final Field RESPONSE = D.u64("response", 0);
    public static final Field USER_HANDLE = D.u64("user_handle", 8);
    public static final Field PD_HANDLE = D.u32("pd_handle", 16);
    public static final Field QPN = D.u32("qpn", 20);
    public static final Field QP_TYPE = D.u8("qp_type", 24);

    public static final Structure STRUCTURE = D.structure();

    private OpenQp() {}
  }

  /**
   * The sizes of a QP's queues. Other structures contain these fields directly. Mirrors {@code
   * rdma/ib_user_ioctl_verbs.h: ib_uverbs_qp_cap}.
   */
  public static final class QpCap {
    private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_qp_cap", 20);

    public static final Field MAX_SEND_WR = D.u32("max_send_wr", 0);
    public static final Field MAX_RECV_WR = D.u32("max_recv_wr", 4);
    public static final Field MAX_SEND_SGE = D.u32("max_send_sge", 8);
    public static final Field MAX_RECV_SGE = D.u32("max_recv_sge", 12);
    public static final Field MAX_INLINE_DATA = D.u32("max_inline_data", 16);

    public static final Structure STRUCTURE = D.structure();

    private QpCap() {}
  }

  /**
   * A path in {@link ModifyQp} and {@link QueryQpResp}. Mirrors {@code rdma/ib_user_verbs.h:
   * ib_uverbs_qp_dest}.
   */
  public static final class QpDest {
    private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_qp_dest", 32);

    public static final Field DGID = D.bytes("dgid", 0, 16);
    public static final Field FLOW_LABEL = D.u32("flow_label", 16);
    public static final Field DLID = D.u16("dlid", 20);
    public static final Field SGID_INDEX = D.u8("sgid_index", 24);
    public static final Field HOP_LIMIT = D.u8("hop_limit", 25);
    public static final Field TRAFFIC_CLASS = D.u8("traffic_class", 26);
    public static final Field SL = D.u8("sl", 27);
    public static final Field SRC_PATH_BITS = D.u8("src_path_bits", 28);
    public static final Field STATIC_RATE = D.u8("static_rate", 29);
    public static final Field IS_GLOBAL = D.u8("is_global", 30);
    public static final Field PORT_NUM = D.u8("port_num", 31);

    public static final Structure STRUCTURE = D.structure();

    private QpDest() {}
  }

  /**
   * The driver's input of CREATE_QP. With MLX5_QP_FLAG_UAR_PAGE_INDEX, {@code bfreg_index} is the
   * number of a UAR page. Mirrors {@code rdma/mlx5-abi.h: mlx5_ib_create_qp}.
   */
  public static final class Mlx5CreateQp {
    private static final Structure.Definition D = Structure.littleEndian("mlx5_ib_create_qp", 56);

    public static final Field BUF_ADDR = D.u64("buf_addr", 0);
    public static final Field DB_ADDR = D.u64("db_addr", 8);
    public static final Field SQ_WQE_COUNT = D.u32("sq_wqe_count", 16);
    public static final Field RQ_WQE_COUNT = D.u32("rq_wqe_count", 20);
    public static final Field RQ_WQE_SHIFT = D.u32("rq_wqe_shift", 24);
    public static final Field FLAGS = D.u32("flags", 28);
    public static final Field UIDX = D.u32("uidx", 32);
    public static final Field BFREG_INDEX = D.u32("bfreg_index", 36);

    /** For DC targets; others have the address of their send queue here, {@code sq_buf_addr}. */
    public static final Field ACCESS_KEY = D.u64("access_key", 40);

    public static final Field LOG_NUM_CONCURENT = D.u8("dci_streams.log_num_concurent", 52);
    public static final Field LOG_NUM_ERRORED = D.u8("dci_streams.log_num_errored", 53);

    public static final Structure STRUCTURE = D.structure();

    private Mlx5CreateQp() {}
  }

  /** The driver's output of CREATE_QP. Mirrors {@code rdma/mlx5-abi.h: mlx5_ib_create_qp_resp}. */
  public static final class Mlx5CreateQpResp {
    private static final Structure.Definition D =
        Structure.littleEndian("mlx5_ib_create_qp_resp", 40);

    public static final Field BFREG_INDEX = D.u32("bfreg_index", 0);

    public static final Structure STRUCTURE = D.structure();

    private Mlx5CreateQpResp() {}
  }

  /**
   * Input of MODIFY_QP. The bits of {@code attr_mask} say which fields count. Mirrors {@code
   * rdma/ib_user_verbs.h: ib_uverbs_modify_qp}.
   */
  public static final class ModifyQp {
    private static final Structure.Definition D =
        Structure.littleEndian("ib_uverbs_modify_qp", 112);

    public static final Area DEST = D.struct("dest", 0, QpDest.STRUCTURE);
    public static final Field QP_HANDLE = D.u32("qp_handle", 64);
    public static final Field ATTR_MASK = D.u32("attr_mask", 68);
    public static final Field QKEY = D.u32("qkey", 72);
    public static final Field RQ_PSN = D.u32("rq_psn", 76);
    public static final Field SQ_PSN = D.u32("sq_psn", 80);
    public static final Field DEST_QP_NUM = D.u32("dest_qp_num", 84);
    public static final Field QP_ACCESS_FLAGS = D.u32("qp_access_flags", 88);
    public static final Field PKEY_INDEX = D.u16("pkey_index", 92);
    public static final Field QP_STATE = D.u8("qp_state", 96);
    public static final Field CUR_QP_STATE = D.u8("cur_qp_state", 97);
    public static final Field PATH_MTU = D.u8("path_mtu", 98);
    public static final Field MAX_RD_ATOMIC = D.u8("max_rd_atomic", 101);
    public static final Field MAX_DEST_RD_ATOMIC = D.u8("max_dest_rd_atomic", 102);
    public static final Field MIN_RNR_TIMER = D.u8("min_rnr_timer", 103);
    public static final Field PORT_NUM = D.u8("port_num", 104);
    public static final Field TIMEOUT = D.u8("timeout", 105);
    public static final Field RETRY_CNT = D.u8("retry_cnt", 106);
    public static final Field RNR_RETRY = D.u8("rnr_retry", 107);

    public static final Structure STRUCTURE = D.structure();

    private ModifyQp() {}
  }

  /**
   * Output of the extended MODIFY_QP. Mirrors {@code rdma/ib_user_verbs.h:
   * ib_uverbs_ex_modify_qp_resp}.
   */
  public static final class ExModifyQpResp {
    private static final Structure.Definition D =
        Structure.littleEndian("ib_uverbs_ex_modify_qp_resp", 8);

    public static final Field RESPONSE_LENGTH = D.u32("response_length", 4);

    public static final Structure STRUCTURE = D.structure();

    private ExModifyQpResp() {}
  }

  /** The driver's input of MODIFY_QP. Mirrors {@code rdma/mlx5-abi.h: mlx5_ib_modify_qp}. */
  public static final class Mlx5ModifyQp {
    private static final Structure.Definition D = Structure.littleEndian("mlx5_ib_modify_qp", 16);

    public static final Field COMP_MASK = D.u32("comp_mask", 0);
    public static final Field RESERVED = D.u16("burst_info.reserved", 10);

    public static final Structure STRUCTURE = D.structure();

    private Mlx5ModifyQp() {}
  }

  /**
   * The driver's output of the extended MODIFY_QP. Mirrors {@code rdma/mlx5-abi.h:
   * mlx5_ib_modify_qp_resp}.
   */
  public static final class Mlx5ModifyQpResp {
    private static final Structure.Definition D =
        Structure.littleEndian("mlx5_ib_modify_qp_resp", 16);

    public static final Field RESPONSE_LENGTH = D.u32("response_length", 0);
    public static final Field DCTN = D.u32("dctn", 4);

    public static final Structure STRUCTURE = D.structure();

    private Mlx5ModifyQpResp() {}
  }

  /** Input of QUERY_QP. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_query_qp}. */
  public static final class QueryQp {
    private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_query_qp", 16);

    public static final Field RESPONSE = D.u64("response", 0);
    public static final Field QP_HANDLE = D.u32("qp_handle", 8);
    public static final Field ATTR_MASK = D.u32("attr_mask", 12);

    public static final Structure STRUCTURE = D.structure();

    private QueryQp() {}
  }

  /** Output of QUERY_QP. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_query_qp_resp}. */
  public static final class QueryQpResp {
    private static final Structure.Definition D =
        Structure.littleEndian("ib_uverbs_query_qp_resp", 128);

    public static final Area DEST = D.struct("dest", 0, QpDest.STRUCTURE);
    public static final Area CAP = D.inline(64, QpCap.STRUCTURE);
    public static final Field QKEY = D.u32("qkey", 84);
    public static final Field RQ_PSN = D.u32("rq_psn", 88);
    public static final Field SQ_PSN = D.u32("sq_psn", 92);
    public static final Field DEST_QP_NUM = D.u32("dest_qp_num", 96);
    public static final Field QP_ACCESS_FLAGS = D.u32("qp_access_flags", 100);
    public static final Field PKEY_INDEX = D.u16("pkey_index", 104);
    public static final Field QP_STATE = D.u8("qp_state", 108);
    public static final Field CUR_QP_STATE = D.u8("cur_qp_state", 109);
    public static final Field PATH_MTU = D.u8("path_mtu", 110);
    public static final Field MAX_RD_ATOMIC = D.u8("max_rd_atomic", 113);
    public static final Field MAX_DEST_RD_ATOMIC = D.u8("max_dest_rd_atomic", 114);
    public static final Field MIN_RNR_TIMER = D.u8("min_rnr_timer", 115);
    public static final Field PORT_NUM = D.u8("port_num", 116);
    public static final Field TIMEOUT = D.u8("timeout", 117);
    public static final Field RETRY_CNT = D.u8("retry_cnt", 118);
    public static final Field RNR_RETRY = D.u8("rnr_retry", 119);
    public static final Field SQ_SIG_ALL = D.u8("sq_sig_all", 122);

    public static final Structure STRUCTURE = D.structure();

    private QueryQpResp() {}
  }

  /** Input of DESTROY_QP. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_destroy_qp}. */
  public static final class DestroyQp {
    private static final Structure.Definition D =
        Structure.littleEndian("ib_uverbs_destroy_qp", 16);

    public static final Field RESPONSE = D.u64("response", 0);
    public static final Field QP_HANDLE = D.u32("qp_handle", 8);

    public static final Structure STRUCTURE = D.structure();

    private DestroyQp() {}
  }

  /** Output of DESTROY_QP. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_destroy_qp_resp}. */
  public static final class DestroyQpResp {
    private static final Structure.Definition D =
        Structure.littleEndian("ib_uverbs_destroy_qp_resp", 4);

    public static final Field EVENTS_REPORTED = D.u32("events_reported", 0);

    public static final Structure STRUCTURE = D.structure();

    private DestroyQpResp() {}
  }

  /**
   * UVERBS_METHOD_QP_DESTROY: destroying a QP. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
   * uverbs_attrs_destroy_qp_cmd_attr_ids}.
   */
  public static final class DestroyQpAttrs {
    private static final Method.Definition D =
        Method.define(IoctlObject.QP, "UVERBS_METHOD_QP_DESTROY", 1);

    public static final Attribute HANDLE = D.attribute("UVERBS_ATTR_DESTROY_QP_HANDLE", 0);
    public static final Attribute RESP = D.attribute("UVERBS_ATTR_DESTROY_QP_RESP", 1);

    public static final Method METHOD = D.method();

    private DestroyQpAttrs() {}
  }

  /** Input of ATTACH_MCAST. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_attach_mcast}. */
  public static final class AttachMcast {
    private static final Structure.Definition D =
        Structure.littleEndian("ib_uverbs_attach_mcast", 24);

    public static final Field GID = D.bytes("gid", 0, 16);
    public static final Field QP_HANDLE = D.u32("qp_handle", 16);
    public static final Field MLID = D.u16("mlid", 20);

    public static final Structure STRUCTURE = D.structure();

    private AttachMcast() {}
  }

  /** Input of DETACH_MCAST. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_detach_mcast}. */
  public static final class DetachMcast {
    private static final Structure.Definition D =
        Structure.littleEndian("ib_uverbs_detach_mcast", 24);

    public static final Field GID = D.bytes("gid", 0, 16);
    public static final Field QP_HANDLE = D.u32("qp_handle", 16);
    public static final Field MLID = D.u16("mlid", 20);

    public static final Structure STRUCTURE = D.structure();

    private DetachMcast() {}
  }

  private QpAbi() {}
}
