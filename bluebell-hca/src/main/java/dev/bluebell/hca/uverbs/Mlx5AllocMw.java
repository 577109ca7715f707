package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** The driver's input of ALLOC_MW. Mirrors {@code rdma/mlx5-abi.h: mlx5_ib_alloc_mw}. */
public final class Mlx5AllocMw {
  private static final Structure.Definition D = Structure.littleEndian("mlx5_ib_alloc_mw", 8);

  public static final Field COMP_MASK = D.u32("comp_mask", 0);
  public static final Field NUM_KLMS = D.u8("num_klms", 4);
  public static final Field RESERVED1 = D.u8("reserved1", 5);
  public static final Field RESERVED2 = D.u16("reserved2", 6);

  public static final Structure STRUCTURE = D.structure();

  private Mlx5AllocMw() {}
}
