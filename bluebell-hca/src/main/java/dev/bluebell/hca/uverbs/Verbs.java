package dev.bluebell.hca.uverbs;

/**
 * Constants of all devices, named after the public headers' {@code IB_UVERBS_*}: flags and types in
 * structures and attributes.
 */
public final class Verbs {
  // rdma/ib_user_ioctl_verbs.h: ib_uverbs_access_flags; the lowest four are those of HcaAccess.
  public static final int ACCESS_MW_BIND = 1 << 4;
  public static final int ACCESS_ZERO_BASED = 1 << 5;
  public static final int ACCESS_ON_DEMAND = 1 << 6;
  public static final int ACCESS_HUGETLB = 1 << 7;
  public static final int ACCESS_RELAXED_ORDERING = 1 << 20;
  public static final int ACCESS_OPTIONAL_RANGE = 0x3ff0_0000;

  // rdma/ib_user_ioctl_verbs.h: ib_uverbs_core_support.
  public static final int CORE_SUPPORT_OPTIONAL_MR_ACCESS = 1;

  // rdma/ib_user_ioctl_verbs.h: ib_uverbs_advise_mr_advice, ib_uverbs_advise_mr_flag.
  public static final int ADVISE_MR_ADVICE_PREFETCH_WRITE = 1;
  public static final int ADVISE_MR_ADVICE_PREFETCH_NO_FAULT = 2;
  public static final int ADVISE_MR_FLAG_FLUSH = 1;

  // rdma/ib_user_verbs.h: ib_uverbs_ex_create_cq_flags.
  public static final int CQ_FLAGS_TIMESTAMP_COMPLETION = 1;
  public static final int CQ_FLAGS_IGNORE_OVERRUN = 1 << 1;

  // rdma/ib_user_ioctl_verbs.h: ib_uverbs_qp_type, ib_uverbs_qp_create_flags.
  public static final int QPT_RC = 2;
  public static final int QPT_UC = 3;
  public static final int QPT_UD = 4;
  public static final int QPT_RAW_PACKET = 8;
  public static final int QPT_XRC_INI = 9;
  public static final int QPT_XRC_TGT = 10;
  public static final int QPT_DRIVER = 0xff;
  public static final int QP_CREATE_SQ_SIG_ALL = 1 << 12;

  // rdma/ib_user_verbs.h: ib_uverbs_device_cap_flags.
  public static final int DEVICE_MEM_WINDOW = 1 << 17;
  public static final int DEVICE_XRC = 1 << 20;
  public static final int DEVICE_MEM_WINDOW_TYPE_2B = 1 << 24;

  // rdma/ib_user_ioctl_verbs.h: ib_uverbs_srq_type.
  public static final int SRQT_BASIC = 0;
  public static final int SRQT_XRC = 1;
  public static final int SRQT_TM = 2;

  // rdma/ib_user_ioctl_verbs.h: ib_uverbs_query_port_cap_flags, ib_uverbs_gid_type.
  public static final int PCF_CM_SUP = 1 << 16;
  public static final int PCF_IP_BASED_GIDS = 1 << 26;
  public static final int GID_TYPE_IB = 0;
  public static final int GID_TYPE_ROCE_V1 = 1;
  public static final int GID_TYPE_ROCE_V2 = 2;

  private Verbs() {}

  /** The name of a queue pair type in libibverbs ({@code ibv_qp_type}), with its number. */
  public static String qpTypeName(int type) {
    String name =
        switch (type) {
          case QPT_RC -> "RC";
          case QPT_UC -> "UC";
          case QPT_UD -> "UD";
          case QPT_RAW_PACKET -> "RAW_PACKET";
          case QPT_XRC_INI -> "XRC_SEND";
          case QPT_XRC_TGT -> "XRC_RECV";
          case QPT_DRIVER -> "DRIVER";
          default -> "";
        };
    return name.isEmpty() ? String.valueOf(type) : "IBV_QPT_%s (%d)".formatted(name, type);
  }
}
