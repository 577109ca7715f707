package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** User memory context. Mirrors {@code mlx5_ifc.h: mlx5_ifc_umem_bits} of Linux. */
public final class Umem {
  private static final Structure.Definition D = Structure.define("umem", 256);

  public static final Field ATS = D.field("ats", 0x080, 1);
  public static final Field LOG_PAGE_SIZE = D.field("log_page_size", 0x09b, 5);
  public static final Field PAGE_OFFSET = D.field("page_offset", 0x0a0, 32);
  public static final Field NUM_OF_MTT = D.field("num_of_mtt", 0x0c0, 64);

  public static final Structure STRUCTURE = D.structure();

  private Umem() {}
}
