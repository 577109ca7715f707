package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * XRC shared receive queue context. Mirrors {@code mlx5_ifc.h: mlx5_ifc_xrc_srqc_bits} of Linux.
 */
public final class XrcSrqc {
  private static final Structure.Definition D = Structure.define("xrc_srqc", 512);

  public static final Field STATE = D.field("state", 0x000, 4);
  public static final Field LOG_XRC_SRQ_SIZE = D.field("log_xrc_srq_size", 0x004, 4);
  public static final Field WQ_SIGNATURE = D.field("wq_signature", 0x020, 1);
  public static final Field CONT_SRQ = D.field("cont_srq", 0x021, 1);
  public static final Field RLKY = D.field("rlky", 0x023, 1);
  public static final Field BASIC_CYCLIC_RCV_WQE = D.field("basic_cyclic_rcv_wqe", 0x024, 1);
  public static final Field LOG_RQ_STRIDE = D.field("log_rq_stride", 0x025, 3);
  public static final Field XRCD = D.field("xrcd", 0x028, 24);
  public static final Field PAGE_OFFSET = D.field("page_offset", 0x040, 6);
  public static final Field DBR_UMEM_VALID = D.field("dbr_umem_valid", 0x047, 1);
  public static final Field CQN = D.field("cqn", 0x048, 24);
  public static final Field USER_INDEX_EQUAL_XRC_SRQN =
      D.field("user_index_equal_xrc_srqn", 0x080, 1);
  public static final Field LOG_PAGE_SIZE = D.field("log_page_size", 0x082, 6);
  public static final Field USER_INDEX = D.field("user_index", 0x088, 24);
  public static final Field PD = D.field("pd", 0x0c8, 24);
  public static final Field LWM = D.field("lwm", 0x0e0, 16);
  public static final Field WQE_CNT = D.field("wqe_cnt", 0x0f0, 16);
  public static final Field DB_RECORD_ADDR_H = D.field("db_record_addr_h", 0x140, 32);
  public static final Field DB_RECORD_ADDR_L = D.field("db_record_addr_l", 0x160, 30);

  public static final Structure STRUCTURE = D.structure();

  private XrcSrqc() {}
}
