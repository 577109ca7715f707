package dev.bluebell.hca.uverbs;

/**
 * The constants of the connection manager's interface, under their names in {@code
 * rdma/rdma_user_cm.h} without {@code RDMA_}.
 */
public final class RdmaCm {
  public static final int USER_CM_ABI_VERSION = 4;
  public static final int MAX_PRIVATE_DATA = 256;

  public static final int USER_CM_CMD_CREATE_ID = 0;
  public static final int USER_CM_CMD_DESTROY_ID = 1;
  public static final int USER_CM_CMD_BIND_IP = 2;
  public static final int USER_CM_CMD_RESOLVE_IP = 3;
  public static final int USER_CM_CMD_RESOLVE_ROUTE = 4;
  public static final int USER_CM_CMD_QUERY_ROUTE = 5;
  public static final int USER_CM_CMD_CONNECT = 6;
  public static final int USER_CM_CMD_LISTEN = 7;
  public static final int USER_CM_CMD_ACCEPT = 8;
  public static final int USER_CM_CMD_REJECT = 9;
  public static final int USER_CM_CMD_DISCONNECT = 10;
  public static final int USER_CM_CMD_INIT_QP_ATTR = 11;
  public static final int USER_CM_CMD_GET_EVENT = 12;
  public static final int USER_CM_CMD_SET_OPTION = 14;
  public static final int USER_CM_CMD_NOTIFY = 15;
  public static final int USER_CM_CMD_JOIN_IP_MCAST = 16;
  public static final int USER_CM_CMD_LEAVE_MCAST = 17;
  public static final int USER_CM_CMD_MIGRATE_ID = 18;
  public static final int USER_CM_CMD_QUERY = 19;
  public static final int USER_CM_CMD_BIND = 20;
  public static final int USER_CM_CMD_RESOLVE_ADDR = 21;
  public static final int USER_CM_CMD_JOIN_MCAST = 22;
  public static final int USER_CM_CMD_WRITE_CM_EVENT = 24;

  public static final int PS_IPOIB = 0x0002;
  public static final int PS_IB = 0x013f;
  public static final int PS_TCP = 0x0106;
  public static final int PS_UDP = 0x0111;

  public static final int USER_CM_QUERY_ADDR = 0;
  public static final int USER_CM_QUERY_PATH = 1;
  public static final int USER_CM_QUERY_GID = 2;

  public static final int MC_JOIN_FLAG_FULLMEMBER = 0;
  public static final int MC_JOIN_FLAG_SENDONLY_FULLMEMBER = 1;

  public static final int OPTION_ID = 0;
  public static final int OPTION_IB = 1;
  public static final int OPTION_ID_TOS = 0;
  public static final int OPTION_ID_REUSEADDR = 1;
  public static final int OPTION_ID_AFONLY = 2;
  public static final int OPTION_ID_ACK_TIMEOUT = 3;
  public static final int OPTION_IB_PATH = 1;

  private RdmaCm() {}
}
