package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;
import dev.bluebell.hca.uverbs.PdAbi.AhAttr;

/**
 * The structures that the connection manager and its clients exchange. Addresses are {@code
 * sockaddr}s.
 */
public final class CmAbi {
  /**
   * The 8 bytes that every command starts with: {@code in} bytes of input follow it, and the client
   * has room for {@code out} bytes of output. Mirrors {@code rdma/rdma_user_cm.h:
   * rdma_ucm_cmd_hdr}.
   */
  public static final class CmdHdr {
    public static final Structure STRUCTURE = Structure.littleEndian("rdma_ucm_cmd_hdr", 8);
    public static final Field CMD = STRUCTURE.u32("cmd", 0);
    public static final Field IN = STRUCTURE.u16("in", 4);
    public static final Field OUT = STRUCTURE.u16("out", 6);

    private CmdHdr() {}
  }

  /** Input of CREATE_ID. Mirrors {@code rdma/rdma_user_cm.h: rdma_ucm_create_id}. */
  public static final class CreateId {
    public static final Structure STRUCTURE = Structure.littleEndian("rdma_ucm_create_id", 24);
    public static final Field UID = STRUCTURE.u64("uid", 0);
    public static final Field RESPONSE = STRUCTURE.u64("response", 8);
    public static final Field PS = STRUCTURE.u16("ps", 16);
    public static final Field QP_TYPE = STRUCTURE.u8("qp_type", 18);

    private CreateId() {}
  }

  /**
   * Output of CREATE_ID and of the commands that join a group. Mirrors {@code rdma/rdma_user_cm.h:
   * rdma_ucm_create_id_resp}.
   */
  public static final class CreateIdResp {
    public static final Structure STRUCTURE = Structure.littleEndian("rdma_ucm_create_id_resp", 4);
    public static final Field ID = STRUCTURE.u32("id", 0);

    private CreateIdResp() {}
  }

  /**
   * Input of DESTROY_ID and LEAVE_MCAST. Mirrors {@code rdma/rdma_user_cm.h: rdma_ucm_destroy_id}.
   */
  public static final class DestroyId {
    public static final Structure STRUCTURE = Structure.littleEndian("rdma_ucm_destroy_id", 16);
    public static final Field RESPONSE = STRUCTURE.u64("response", 0);
    public static final Field ID = STRUCTURE.u32("id", 8);

    private DestroyId() {}
  }

  /**
   * Output of DESTROY_ID and LEAVE_MCAST. Mirrors {@code rdma/rdma_user_cm.h:
   * rdma_ucm_destroy_id_resp}.
   */
  public static final class DestroyIdResp {
    public static final Structure STRUCTURE = Structure.littleEndian("rdma_ucm_destroy_id_resp", 4);
    public static final Field EVENTS_REPORTED = STRUCTURE.u32("events_reported", 0);

    private DestroyIdResp() {}
  }

  /** Input of BIND_IP. Mirrors {@code rdma/rdma_user_cm.h: rdma_ucm_bind_ip}. */
  public static final class BindIp {
    public static final Structure STRUCTURE = Structure.littleEndian("rdma_ucm_bind_ip", 40);
    public static final Field ADDR = STRUCTURE.bytes("addr", 8, 28);
    public static final Field ID = STRUCTURE.u32("id", 36);

    private BindIp() {}
  }

  /** Input of BIND. Mirrors {@code rdma/rdma_user_cm.h: rdma_ucm_bind}. */
  public static final class Bind {
    public static final Structure STRUCTURE = Structure.littleEndian("rdma_ucm_bind", 136);
    public static final Field ID = STRUCTURE.u32("id", 0);
    public static final Field ADDR_SIZE = STRUCTURE.u16("addr_size", 4);
    public static final Field RESERVED = STRUCTURE.u16("reserved", 6);
    public static final Field ADDR = STRUCTURE.bytes("addr", 8, 128);

    private Bind() {}
  }

  /** Input of RESOLVE_IP. Mirrors {@code rdma/rdma_user_cm.h: rdma_ucm_resolve_ip}. */
  public static final class ResolveIp {
    public static final Structure STRUCTURE = Structure.littleEndian("rdma_ucm_resolve_ip", 64);
    public static final Field SRC_ADDR = STRUCTURE.bytes("src_addr", 0, 28);
    public static final Field DST_ADDR = STRUCTURE.bytes("dst_addr", 28, 28);
    public static final Field ID = STRUCTURE.u32("id", 56);
    public static final Field TIMEOUT_MS = STRUCTURE.u32("timeout_ms", 60);

    private ResolveIp() {}
  }

  /** Input of RESOLVE_ADDR. Mirrors {@code rdma/rdma_user_cm.h: rdma_ucm_resolve_addr}. */
  public static final class ResolveAddr {
    public static final Structure STRUCTURE = Structure.littleEndian("rdma_ucm_resolve_addr", 272);
    public static final Field ID = STRUCTURE.u32("id", 0);
    public static final Field SRC_SIZE = STRUCTURE.u16("src_size", 8);
    public static final Field DST_SIZE = STRUCTURE.u16("dst_size", 10);
    public static final Field RESERVED = STRUCTURE.u32("reserved", 12);
    public static final Field SRC_ADDR = STRUCTURE.bytes("src_addr", 16, 128);
    public static final Field DST_ADDR = STRUCTURE.bytes("dst_addr", 144, 128);

    private ResolveAddr() {}
  }

  /** Input of RESOLVE_ROUTE. Mirrors {@code rdma/rdma_user_cm.h: rdma_ucm_resolve_route}. */
  public static final class ResolveRoute {
    public static final Structure STRUCTURE = Structure.littleEndian("rdma_ucm_resolve_route", 8);
    public static final Field ID = STRUCTURE.u32("id", 0);
    public static final Field TIMEOUT_MS = STRUCTURE.u32("timeout_ms", 4);

    private ResolveRoute() {}
  }

  /** Input of QUERY and QUERY_ROUTE. Mirrors {@code rdma/rdma_user_cm.h: rdma_ucm_query}. */
  public static final class Query {
    public static final Structure STRUCTURE = Structure.littleEndian("rdma_ucm_query", 16);
    public static final Field RESPONSE = STRUCTURE.u64("response", 0);
    public static final Field ID = STRUCTURE.u32("id", 8);
    public static final Field OPTION = STRUCTURE.u32("option", 12);

    private Query() {}
  }

  /**
   * A path in {@link QueryRouteResp}; numbers are little-endian except those in wire order. Mirrors
   * {@code rdma/ib_user_sa.h: ib_user_path_rec}.
   */
  public static final class UserPathRec {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_user_path_rec", 64);
    public static final Field DGID = STRUCTURE.bytes("dgid", 0, 16);
    public static final Field SGID = STRUCTURE.bytes("sgid", 16, 16);
    public static final Field DLID = STRUCTURE.bigEndian("dlid", 32, Short.BYTES);
    public static final Field SLID = STRUCTURE.bigEndian("slid", 34, Short.BYTES);
    public static final Field REVERSIBLE = STRUCTURE.u32("reversible", 44);
    public static final Field MTU = STRUCTURE.u32("mtu", 48);
    public static final Field PKEY = STRUCTURE.bigEndian("pkey", 52, Short.BYTES);
    public static final Field HOP_LIMIT = STRUCTURE.u8("hop_limit", 54);
    public static final Field TRAFFIC_CLASS = STRUCTURE.u8("traffic_class", 55);
    public static final Field MTU_SELECTOR = STRUCTURE.u8("mtu_selector", 58);
    public static final Field RATE_SELECTOR = STRUCTURE.u8("rate_selector", 59);
    public static final Field PACKET_LIFE_TIME_SELECTOR =
        STRUCTURE.u8("packet_life_time_selector", 61);
    public static final Field PACKET_LIFE_TIME = STRUCTURE.u8("packet_life_time", 62);

    private UserPathRec() {}
  }

  /**
   * Output of QUERY_ROUTE. The first of two paths is the only one here. Mirrors {@code
   * rdma/rdma_user_cm.h: rdma_ucm_query_route_resp}.
   */
  public static final class QueryRouteResp {
    public static final Structure STRUCTURE =
        Structure.littleEndian("rdma_ucm_query_route_resp", 208);
    public static final Field NODE_GUID = STRUCTURE.bigEndian("node_guid", 0, Long.BYTES);
    public static final Field IB_ROUTE = STRUCTURE.bytes("ib_route", 8, 128);
    public static final Field SRC_ADDR = STRUCTURE.bytes("src_addr", 136, 28);
    public static final Field DST_ADDR = STRUCTURE.bytes("dst_addr", 164, 28);
    public static final Field NUM_PATHS = STRUCTURE.u32("num_paths", 192);
    public static final Field PORT_NUM = STRUCTURE.u8("port_num", 196);
    public static final Field IBDEV_INDEX = STRUCTURE.u32("ibdev_index", 200);

    private QueryRouteResp() {}
  }

  /**
   * Output of QUERY for addresses and GIDs. Mirrors {@code rdma/rdma_user_cm.h:
   * rdma_ucm_query_addr_resp}.
   */
  public static final class QueryAddrResp {
    public static final Structure STRUCTURE =
        Structure.littleEndian("rdma_ucm_query_addr_resp", 280);
    public static final Field NODE_GUID = STRUCTURE.bigEndian("node_guid", 0, Long.BYTES);
    public static final Field PORT_NUM = STRUCTURE.u8("port_num", 8);
    public static final Field PKEY = STRUCTURE.bigEndian("pkey", 10, Short.BYTES);
    public static final Field SRC_SIZE = STRUCTURE.u16("src_size", 12);
    public static final Field DST_SIZE = STRUCTURE.u16("dst_size", 14);
    public static final Field SRC_ADDR = STRUCTURE.bytes("src_addr", 16, 128);
    public static final Field DST_ADDR = STRUCTURE.bytes("dst_addr", 144, 128);
    public static final Field IBDEV_INDEX = STRUCTURE.u32("ibdev_index", 272);

    private QueryAddrResp() {}
  }

  /**
   * Output of QUERY for paths, which {@link PathRecData} follow. Mirrors {@code
   * rdma/rdma_user_cm.h: rdma_ucm_query_path_resp}.
   */
  public static final class QueryPathResp {
    public static final Structure STRUCTURE = Structure.littleEndian("rdma_ucm_query_path_resp", 8);
    public static final Field NUM_PATHS = STRUCTURE.u32("num_paths", 0);

    private QueryPathResp() {}
  }

  /**
   * A path in the form of the subnet administrator. Mirrors {@code rdma/ib_user_sa.h:
   * ib_path_rec_data}.
   */
  public static final class PathRecData {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_path_rec_data", 72);
    public static final Field FLAGS = STRUCTURE.u32("flags", 0);
    public static final Field PATH_REC = STRUCTURE.bytes("path_rec", 8, 64);

    private PathRecData() {}
  }

  /**
   * The parameters that one end of a connection offers the other. Mirrors {@code
   * rdma/rdma_user_cm.h: rdma_ucm_conn_param}.
   */
  public static final class ConnParam {
    public static final Structure STRUCTURE = Structure.littleEndian("rdma_ucm_conn_param", 272);
    public static final Field QP_NUM = STRUCTURE.u32("qp_num", 0);
    public static final Field PRIVATE_DATA = STRUCTURE.bytes("private_data", 8, 256);
    public static final Field PRIVATE_DATA_LEN = STRUCTURE.u8("private_data_len", 264);
    public static final Field SRQ = STRUCTURE.u8("srq", 265);
    public static final Field RESPONDER_RESOURCES = STRUCTURE.u8("responder_resources", 266);
    public static final Field INITIATOR_DEPTH = STRUCTURE.u8("initiator_depth", 267);
    public static final Field FLOW_CONTROL = STRUCTURE.u8("flow_control", 268);
    public static final Field RETRY_COUNT = STRUCTURE.u8("retry_count", 269);
    public static final Field RNR_RETRY_COUNT = STRUCTURE.u8("rnr_retry_count", 270);
    public static final Field VALID = STRUCTURE.u8("valid", 271);

    private ConnParam() {}
  }

  /**
   * The parameters that one end of a datagram service sends to the other. Mirrors {@code
   * rdma/rdma_user_cm.h: rdma_ucm_ud_param}.
   */
  public static final class UdParam {
    public static final Structure STRUCTURE = Structure.littleEndian("rdma_ucm_ud_param", 304);
    public static final Field QP_NUM = STRUCTURE.u32("qp_num", 0);
    public static final Field QKEY = STRUCTURE.u32("qkey", 4);
    public static final Area AH_ATTR = STRUCTURE.struct("ah_attr", 8, AhAttr.STRUCTURE);
    public static final Field PRIVATE_DATA = STRUCTURE.bytes("private_data", 40, 256);
    public static final Field PRIVATE_DATA_LEN = STRUCTURE.u8("private_data_len", 296);

    private UdParam() {}
  }

  /**
   * The extensions of the standard that one end supports. Mirrors {@code rdma/rdma_user_cm.h:
   * rdma_ucm_ece}.
   */
  public static final class Ece {
    public static final Structure STRUCTURE = Structure.littleEndian("rdma_ucm_ece", 8);
    public static final Field VENDOR_ID = STRUCTURE.u32("vendor_id", 0);
    public static final Field ATTR_MOD = STRUCTURE.u32("attr_mod", 4);

    private Ece() {}
  }

  /**
   * Input of CONNECT; older clients send no {@code ece}. Mirrors {@code rdma/rdma_user_cm.h:
   * rdma_ucm_connect}.
   */
  public static final class Connect {
    public static final Structure STRUCTURE = Structure.littleEndian("rdma_ucm_connect", 288);
    public static final Area CONN_PARAM = STRUCTURE.struct("conn_param", 0, ConnParam.STRUCTURE);
    public static final Field ID = STRUCTURE.u32("id", 272);
    public static final Field RESERVED = STRUCTURE.u32("reserved", 276);
    public static final Area ECE = STRUCTURE.struct("ece", 280, Ece.STRUCTURE);

    private Connect() {}
  }

  /** Input of LISTEN. Mirrors {@code rdma/rdma_user_cm.h: rdma_ucm_listen}. */
  public static final class Listen {
    public static final Structure STRUCTURE = Structure.littleEndian("rdma_ucm_listen", 8);
    public static final Field ID = STRUCTURE.u32("id", 0);
    public static final Field BACKLOG = STRUCTURE.u32("backlog", 4);

    private Listen() {}
  }

  /**
   * Input of ACCEPT; older clients send no {@code ece}. Mirrors {@code rdma/rdma_user_cm.h:
   * rdma_ucm_accept}.
   */
  public static final class Accept {
    public static final Structure STRUCTURE = Structure.littleEndian("rdma_ucm_accept", 296);
    public static final Field UID = STRUCTURE.u64("uid", 0);
    public static final Area CONN_PARAM = STRUCTURE.struct("conn_param", 8, ConnParam.STRUCTURE);
    public static final Field ID = STRUCTURE.u32("id", 280);
    public static final Field RESERVED = STRUCTURE.u32("reserved", 284);
    public static final Area ECE = STRUCTURE.struct("ece", 288, Ece.STRUCTURE);

    private Accept() {}
  }

  /** Input of REJECT. Mirrors {@code rdma/rdma_user_cm.h: rdma_ucm_reject}. */
  public static final class Reject {
    public static final Structure STRUCTURE = Structure.littleEndian("rdma_ucm_reject", 264);
    public static final Field ID = STRUCTURE.u32("id", 0);
    public static final Field PRIVATE_DATA_LEN = STRUCTURE.u8("private_data_len", 4);
    public static final Field REASON = STRUCTURE.u8("reason", 5);
    public static final Field PRIVATE_DATA = STRUCTURE.bytes("private_data", 8, 256);

    private Reject() {}
  }

  /** Input of DISCONNECT. Mirrors {@code rdma/rdma_user_cm.h: rdma_ucm_disconnect}. */
  public static final class Disconnect {
    public static final Structure STRUCTURE = Structure.littleEndian("rdma_ucm_disconnect", 4);
    public static final Field ID = STRUCTURE.u32("id", 0);

    private Disconnect() {}
  }

  /** Input of INIT_QP_ATTR. Mirrors {@code rdma/rdma_user_cm.h: rdma_ucm_init_qp_attr}. */
  public static final class InitQpAttr {
    public static final Structure STRUCTURE = Structure.littleEndian("rdma_ucm_init_qp_attr", 16);
    public static final Field RESPONSE = STRUCTURE.u64("response", 0);
    public static final Field ID = STRUCTURE.u32("id", 8);
    public static final Field QP_STATE = STRUCTURE.u32("qp_state", 12);

    private InitQpAttr() {}
  }

  /** Input of NOTIFY. Mirrors {@code rdma/rdma_user_cm.h: rdma_ucm_notify}. */
  public static final class Notify {
    public static final Structure STRUCTURE = Structure.littleEndian("rdma_ucm_notify", 8);
    public static final Field ID = STRUCTURE.u32("id", 0);
    public static final Field EVENT = STRUCTURE.u32("event", 4);

    private Notify() {}
  }

  /** Input of JOIN_IP_MCAST. Mirrors {@code rdma/rdma_user_cm.h: rdma_ucm_join_ip_mcast}. */
  public static final class JoinIpMcast {
    public static final Structure STRUCTURE = Structure.littleEndian("rdma_ucm_join_ip_mcast", 48);
    public static final Field RESPONSE = STRUCTURE.u64("response", 0);
    public static final Field UID = STRUCTURE.u64("uid", 8);
    public static final Field ADDR = STRUCTURE.bytes("addr", 16, 28);
    public static final Field ID = STRUCTURE.u32("id", 44);

    private JoinIpMcast() {}
  }

  /** Input of JOIN_MCAST. Mirrors {@code rdma/rdma_user_cm.h: rdma_ucm_join_mcast}. */
  public static final class JoinMcast {
    public static final Structure STRUCTURE = Structure.littleEndian("rdma_ucm_join_mcast", 152);
    public static final Field RESPONSE = STRUCTURE.u64("response", 0);
    public static final Field UID = STRUCTURE.u64("uid", 8);
    public static final Field ID = STRUCTURE.u32("id", 16);
    public static final Field ADDR_SIZE = STRUCTURE.u16("addr_size", 20);
    public static final Field JOIN_FLAGS = STRUCTURE.u16("join_flags", 22);
    public static final Field ADDR = STRUCTURE.bytes("addr", 24, 128);

    private JoinMcast() {}
  }

  /** Input of GET_EVENT. Mirrors {@code rdma/rdma_user_cm.h: rdma_ucm_get_event}. */
  public static final class GetEvent {
    public static final Structure STRUCTURE = Structure.littleEndian("rdma_ucm_get_event", 8);
    public static final Field RESPONSE = STRUCTURE.u64("response", 0);

    private GetEvent() {}
  }

  /** Output of GET_EVENT. Mirrors {@code rdma/rdma_user_cm.h: rdma_ucm_event_resp}. */
  public static final class EventResp {
    public static final Structure STRUCTURE = Structure.littleEndian("rdma_ucm_event_resp", 336);
    public static final Field UID = STRUCTURE.u64("uid", 0);
    public static final Field ID = STRUCTURE.u32("id", 8);
    public static final Field EVENT = STRUCTURE.u32("event", 12);
    public static final Field STATUS = STRUCTURE.u32("status", 16);
    public static final Area CONN = STRUCTURE.struct("param.conn", 20, ConnParam.STRUCTURE);
    public static final Area UD = STRUCTURE.struct("param.ud", 20, UdParam.STRUCTURE);
    public static final Field ARG32 = STRUCTURE.u64("param.arg32", 20);
    public static final Field RESERVED = STRUCTURE.u32("reserved", 324);
    public static final Area ECE = STRUCTURE.struct("ece", 328, Ece.STRUCTURE);

    private EventResp() {}
  }

  /** Input of WRITE_CM_EVENT. Mirrors {@code rdma/rdma_user_cm.h: rdma_ucm_write_cm_event}. */
  public static final class WriteCmEvent {
    public static final Structure STRUCTURE =
        Structure.littleEndian("rdma_ucm_write_cm_event", 320);
    public static final Field ID = STRUCTURE.u32("id", 0);
    public static final Field EVENT = STRUCTURE.u32("event", 8);
    public static final Field STATUS = STRUCTURE.u32("status", 12);
    public static final Field ARG = STRUCTURE.u64("param.arg", 16);

    private WriteCmEvent() {}
  }

  /** Input of SET_OPTION. Mirrors {@code rdma/rdma_user_cm.h: rdma_ucm_set_option}. */
  public static final class SetOption {
    public static final Structure STRUCTURE = Structure.littleEndian("rdma_ucm_set_option", 24);
    public static final Field OPTVAL = STRUCTURE.u64("optval", 0);
    public static final Field ID = STRUCTURE.u32("id", 8);
    public static final Field LEVEL = STRUCTURE.u32("level", 12);
    public static final Field OPTNAME = STRUCTURE.u32("optname", 16);
    public static final Field OPTLEN = STRUCTURE.u32("optlen", 20);

    private SetOption() {}
  }

  /** Input of MIGRATE_ID. Mirrors {@code rdma/rdma_user_cm.h: rdma_ucm_migrate_id}. */
  public static final class MigrateId {
    public static final Structure STRUCTURE = Structure.littleEndian("rdma_ucm_migrate_id", 16);
    public static final Field RESPONSE = STRUCTURE.u64("response", 0);
    public static final Field ID = STRUCTURE.u32("id", 8);
    public static final Field FD = STRUCTURE.u32("fd", 12);

    private MigrateId() {}
  }

  /** Output of MIGRATE_ID. Mirrors {@code rdma/rdma_user_cm.h: rdma_ucm_migrate_resp}. */
  public static final class MigrateResp {
    public static final Structure STRUCTURE = Structure.littleEndian("rdma_ucm_migrate_resp", 4);
    public static final Field EVENTS_REPORTED = STRUCTURE.u32("events_reported", 0);

    private MigrateResp() {}
  }

  /**
   * Output of INIT_QP_ATTR: the attributes that move a queue pair to a state. Mirrors {@code
   * rdma/ib_user_verbs.h: ib_uverbs_qp_attr}.
   */
  public static final class QpAttr {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_qp_attr", 144);
    public static final Field QP_ATTR_MASK = STRUCTURE.u32("qp_attr_mask", 0);
    public static final Field QP_STATE = STRUCTURE.u32("qp_state", 4);
    public static final Field PATH_MTU = STRUCTURE.u32("path_mtu", 12);
    public static final Field QKEY = STRUCTURE.u32("qkey", 20);
    public static final Field RQ_PSN = STRUCTURE.u32("rq_psn", 24);
    public static final Field SQ_PSN = STRUCTURE.u32("sq_psn", 28);
    public static final Field DEST_QP_NUM = STRUCTURE.u32("dest_qp_num", 32);
    public static final Field QP_ACCESS_FLAGS = STRUCTURE.u32("qp_access_flags", 36);
    public static final Area AH_ATTR = STRUCTURE.struct("ah_attr", 40, AhAttr.STRUCTURE);
    public static final Field MAX_RD_ATOMIC = STRUCTURE.u8("max_rd_atomic", 130);
    public static final Field MAX_DEST_RD_ATOMIC = STRUCTURE.u8("max_dest_rd_atomic", 131);
    public static final Field PORT_NUM = STRUCTURE.u8("port_num", 133);
    public static final Field TIMEOUT = STRUCTURE.u8("timeout", 134);
    public static final Field RETRY_CNT = STRUCTURE.u8("retry_cnt", 135);
    public static final Field RNR_RETRY = STRUCTURE.u8("rnr_retry", 136);

    private QpAttr() {}
  }

  private CmAbi() {}
}
