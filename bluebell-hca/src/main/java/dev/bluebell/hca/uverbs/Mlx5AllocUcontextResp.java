package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * The driver's output of GET_CONTEXT. Mirrors {@code rdma/mlx5-abi.h: mlx5_ib_alloc_ucontext_resp}.
 */
public final class Mlx5AllocUcontextResp {
  private static final Structure.Definition D = Structure.littleEndian("mlx5_ib_alloc_ucontext_resp", 72);

  public static final Field QP_TAB_SIZE = D.u32("qp_tab_size", 0);
  public static final Field BF_REG_SIZE = D.u32("bf_reg_size", 4);
  public static final Field TOT_BFREGS = D.u32("tot_bfregs", 8);
  public static final Field CACHE_LINE_SIZE = D.u32("cache_line_size", 12);
  public static final Field MAX_SQ_DESC_SZ = D.u16("max_sq_desc_sz", 16);
  public static final Field MAX_RQ_DESC_SZ = D.u16("max_rq_desc_sz", 18);
  public static final Field MAX_SEND_WQEBB = D.u32("max_send_wqebb", 20);
  public static final Field MAX_RECV_WR = D.u32("max_recv_wr", 24);
  public static final Field MAX_SRQ_RECV_WR = D.u32("max_srq_recv_wr", 28);
  public static final Field NUM_PORTS = D.u16("num_ports", 32);
  public static final Field FLOW_ACTION_FLAGS = D.u16("flow_action_flags", 34);
  public static final Field COMP_MASK = D.u32("comp_mask", 36);
  public static final Field RESPONSE_LENGTH = D.u32("response_length", 40);
  public static final Field CQE_VERSION = D.u8("cqe_version", 44);
  public static final Field CMDS_SUPP_UHW = D.u8("cmds_supp_uhw", 45);
  public static final Field ETH_MIN_INLINE = D.u8("eth_min_inline", 46);
  public static final Field CLOCK_INFO_VERSIONS = D.u8("clock_info_versions", 47);
  public static final Field HCA_CORE_CLOCK_OFFSET = D.u64("hca_core_clock_offset", 48);
  public static final Field LOG_UAR_SIZE = D.u32("log_uar_size", 56);
  public static final Field NUM_UARS_PER_PAGE = D.u32("num_uars_per_page", 60);
  public static final Field NUM_DYN_BFREGS = D.u32("num_dyn_bfregs", 64);
  public static final Field DUMP_FILL_MKEY = D.u32("dump_fill_mkey", 68);

  public static final Structure STRUCTURE = D.structure();

  private Mlx5AllocUcontextResp() {}
}
