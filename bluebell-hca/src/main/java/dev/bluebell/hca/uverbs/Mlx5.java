package dev.bluebell.hca.uverbs;

/**
 * Constants of the mlx5 driver, named after the public headers' {@code MLX5_*}: flags and types in
 * structures and attributes.
 */
public final class Mlx5 {
  // rdma/mlx5-abi.h: mlx5_lib_caps, mlx5_ib_alloc_uctx_v2_flags.
  public static final int LIB_CAP_4K_UAR = 1;
  public static final int LIB_CAP_DYN_UAR = 1 << 1;
  public static final int IB_ALLOC_UCTX_DEVX = 1;

  // rdma/mlx5-abi.h: mlx5_ib_alloc_ucontext_resp_mask, mlx5_user_cmds_supp_uhw,
  // mlx5_user_inline_mode.
  public static final int IB_ALLOC_UCONTEXT_RESP_MASK_CORE_CLOCK_OFFSET = 1;
  public static final int IB_ALLOC_UCONTEXT_RESP_MASK_DUMP_FILL_MKEY = 1 << 1;
  public static final int IB_ALLOC_UCONTEXT_RESP_MASK_ECE = 1 << 2;
  public static final int USER_CMDS_SUPP_UHW_QUERY_DEVICE = 1;
  public static final int USER_CMDS_SUPP_UHW_CREATE_AH = 1 << 1;
  public static final int USER_INLINE_MODE_NONE = 1;

  // rdma/mlx5-abi.h: mlx5_ib_create_cq_flags.
  public static final int IB_CQE_RES_FORMAT_HASH = 1;
  public static final int IB_CQE_RES_FORMAT_CSUM = 1 << 1;
  public static final int IB_CQE_RES_FORMAT_CSUM_STRIDX = 1 << 2;
  public static final int IB_CREATE_CQ_FLAGS_UAR_PAGE_INDEX = 1 << 1;
  public static final int IB_CREATE_CQ_FLAGS_REAL_TIME_TS = 1 << 2;

  // rdma/mlx5-abi.h: mlx5_ib_query_dev_resp_flags, mlx5_ib_modify_qp_mask.
  public static final int IB_QUERY_DEV_RESP_FLAGS_CQE_128B_COMP = 1;
  public static final int IB_QUERY_DEV_RESP_FLAGS_SCAT2CQE_DCT = 1 << 3;
  public static final int IB_QUERY_DEV_RESP_FLAGS_OOO_DP = 1 << 4;
  public static final int IB_MODIFY_QP_OOO_DP = 1;

  /** rdma/mlx5-abi.h, without a name: flags of mlx5_ib_create_srq. */
  public static final int SRQ_FLAG_SIGNATURE = 1;

  // rdma/mlx5-abi.h, without a name: flags of mlx5_ib_create_qp.
  public static final int QP_FLAG_SIGNATURE = 1;
  public static final int QP_FLAG_SCATTER_CQE = 1 << 1;
  public static final int QP_FLAG_BFREG_INDEX = 1 << 3;
  public static final int QP_FLAG_TYPE_DCT = 1 << 4;
  public static final int QP_FLAG_TYPE_DCI = 1 << 5;
  public static final int QP_FLAG_ALLOW_SCATTER_CQE = 1 << 8;
  public static final int QP_FLAG_UAR_PAGE_INDEX = 1 << 10;
  public static final int QP_FLAG_DCI_STREAM = 1 << 11;

  // rdma/mlx5-abi.h: mlx5_ib_mmap_cmd; and a bit index of clock_info_versions.
  public static final int IB_MMAP_CORE_CLOCK = 5;
  public static final int IB_MMAP_ALLOC_WC = 6;
  public static final int IB_MMAP_CLOCK_INFO = 7;
  public static final int IB_MMAP_DEVICE_MEM = 8;
  public static final int IB_CLOCK_INFO_V1 = 0;

  // rdma/mlx5_user_ioctl_verbs.h: mlx5_ib_uapi_dm_type, mlx5_ib_uapi_uar_alloc_type,
  // mlx5_ib_uapi_devx_create_event_channel_flags.
  public static final int IB_UAPI_DM_TYPE_MEMIC = 0;
  public static final int IB_UAPI_UAR_ALLOC_TYPE_BF = 0;
  public static final int IB_UAPI_UAR_ALLOC_TYPE_NC = 1;
  public static final int IB_UAPI_DEVX_CR_EV_CH_FLAGS_OMIT_DATA = 1;

  private Mlx5() {}
}
