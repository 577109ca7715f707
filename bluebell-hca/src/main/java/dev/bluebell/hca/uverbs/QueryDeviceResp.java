package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * Output of QUERY_DEVICE. Both GUIDs are big-endian. Mirrors {@code rdma/ib_user_verbs.h:
 * ib_uverbs_query_device_resp}.
 */
public final class QueryDeviceResp {
  private static final Structure.Definition D =
      Structure.littleEndian("ib_uverbs_query_device_resp", 176);

  public static final Field FW_VER = D.u64("fw_ver", 0);
  public static final Field NODE_GUID = D.u64("node_guid", 8);
  public static final Field SYS_IMAGE_GUID = D.u64("sys_image_guid", 16);
  public static final Field MAX_MR_SIZE = D.u64("max_mr_size", 24);
  public static final Field PAGE_SIZE_CAP = D.u64("page_size_cap", 32);
  public static final Field VENDOR_ID = D.u32("vendor_id", 40);
  public static final Field VENDOR_PART_ID = D.u32("vendor_part_id", 44);
  public static final Field HW_VER = D.u32("hw_ver", 48);
  public static final Field MAX_QP = D.u32("max_qp", 52);
  public static final Field MAX_QP_WR = D.u32("max_qp_wr", 56);
  public static final Field DEVICE_CAP_FLAGS = D.u32("device_cap_flags", 60);
  public static final Field MAX_SGE = D.u32("max_sge", 64);
  public static final Field MAX_SGE_RD = D.u32("max_sge_rd", 68);
  public static final Field MAX_CQ = D.u32("max_cq", 72);
  public static final Field MAX_CQE = D.u32("max_cqe", 76);
  public static final Field MAX_MR = D.u32("max_mr", 80);
  public static final Field MAX_PD = D.u32("max_pd", 84);
  public static final Field MAX_QP_RD_ATOM = D.u32("max_qp_rd_atom", 88);
  public static final Field MAX_EE_RD_ATOM = D.u32("max_ee_rd_atom", 92);
  public static final Field MAX_RES_RD_ATOM = D.u32("max_res_rd_atom", 96);
  public static final Field MAX_QP_INIT_RD_ATOM = D.u32("max_qp_init_rd_atom", 100);
  public static final Field MAX_EE_INIT_RD_ATOM = D.u32("max_ee_init_rd_atom", 104);
  public static final Field ATOMIC_CAP = D.u32("atomic_cap", 108);
  public static final Field MAX_EE = D.u32("max_ee", 112);
  public static final Field MAX_RDD = D.u32("max_rdd", 116);
  public static final Field MAX_MW = D.u32("max_mw", 120);
  public static final Field MAX_RAW_IPV6_QP = D.u32("max_raw_ipv6_qp", 124);
  public static final Field MAX_RAW_ETHY_QP = D.u32("max_raw_ethy_qp", 128);
  public static final Field MAX_MCAST_GRP = D.u32("max_mcast_grp", 132);
  public static final Field MAX_MCAST_QP_ATTACH = D.u32("max_mcast_qp_attach", 136);
  public static final Field MAX_TOTAL_MCAST_QP_ATTACH = D.u32("max_total_mcast_qp_attach", 140);
  public static final Field MAX_AH = D.u32("max_ah", 144);
  public static final Field MAX_FMR = D.u32("max_fmr", 148);
  public static final Field MAX_MAP_PER_FMR = D.u32("max_map_per_fmr", 152);
  public static final Field MAX_SRQ = D.u32("max_srq", 156);
  public static final Field MAX_SRQ_WR = D.u32("max_srq_wr", 160);
  public static final Field MAX_SRQ_SGE = D.u32("max_srq_sge", 164);
  public static final Field MAX_PKEYS = D.u16("max_pkeys", 168);
  public static final Field LOCAL_CA_ACK_DELAY = D.u8("local_ca_ack_delay", 170);
  public static final Field PHYS_PORT_CNT = D.u8("phys_port_cnt", 171);

  public static final Structure STRUCTURE = D.structure();

  private QueryDeviceResp() {}
}
