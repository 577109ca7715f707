package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** The driver's input of CREATE_CQ. Mirrors {@code rdma/mlx5-abi.h: mlx5_ib_create_cq}. */
public final class Mlx5CreateCq {
  private static final Structure.Definition D = Structure.littleEndian("mlx5_ib_create_cq", 32);

  public static final Field BUF_ADDR = D.u64("buf_addr", 0);
  public static final Field DB_ADDR = D.u64("db_addr", 8);
  public static final Field CQE_SIZE = D.u32("cqe_size", 16);
  public static final Field CQE_COMP_EN = D.u8("cqe_comp_en", 20);
  public static final Field CQE_COMP_RES_FORMAT = D.u8("cqe_comp_res_format", 21);
  public static final Field FLAGS = D.u16("flags", 22);
  public static final Field UAR_PAGE_INDEX = D.u16("uar_page_index", 24);

  public static final Structure STRUCTURE = D.structure();

  private Mlx5CreateCq() {}
}
