package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * The driver's input of CREATE_QP. With MLX5_QP_FLAG_UAR_PAGE_INDEX, {@code bfreg_index} is the
 * number of a UAR page. Mirrors {@code rdma/mlx5-abi.h: mlx5_ib_create_qp}.
 */
public final class Mlx5CreateQp {
  private static final Structure.Definition D = Structure.littleEndian("mlx5_ib_create_qp", 56);

  public static final Field BUF_ADDR = D.u64("buf_addr", 0);
  public static final Field DB_ADDR = D.u64("db_addr", 8);
  public static final Field SQ_WQE_COUNT = D.u32("sq_wqe_count", 16);
  public static final Field RQ_WQE_COUNT = D.u32("rq_wqe_count", 20);
  public static final Field RQ_WQE_SHIFT = D.u32("rq_wqe_shift", 24);
  public static final Field FLAGS = D.u32("flags", 28);
  public static final Field UIDX = D.u32("uidx", 32);
  public static final Field BFREG_INDEX = D.u32("bfreg_index", 36);
  public static final Field SQ_BUF_ADDR = D.u64("sq_buf_addr", 40);

  /** Of DC targets, which have no send queue. */
  public static final Field ACCESS_KEY = D.u64("access_key", 40);

  public static final Field ECE_OPTIONS = D.u32("ece_options", 48);
  public static final Field LOG_NUM_CONCURENT = D.u8("dci_streams.log_num_concurent", 52);
  public static final Field LOG_NUM_ERRORED = D.u8("dci_streams.log_num_errored", 53);

  public static final Structure STRUCTURE = D.structure();

  private Mlx5CreateQp() {}
}
