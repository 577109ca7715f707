package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Event queue context. Mirrors {@code mlx5_ifc.h: mlx5_ifc_eqc_bits} of Linux. */
public final class Eqc {
  private static final Structure.Definition D = Structure.define("eqc", 512);

  public static final Field STATUS = D.field("status", 0x000, 4);
  public static final Field EC = D.field("ec", 0x00d, 1);
  public static final Field OI = D.field("oi", 0x00e, 1);
  public static final Field ST = D.field("st", 0x014, 4);
  public static final Field PAGE_OFFSET = D.field("page_offset", 0x054, 6);
  public static final Field LOG_EQ_SIZE = D.field("log_eq_size", 0x063, 5);
  public static final Field UAR_PAGE = D.field("uar_page", 0x068, 24);
  public static final Field INTR = D.field("intr", 0x0b4, 12);
  public static final Field LOG_PAGE_SIZE = D.field("log_page_size", 0x0c3, 5);
  public static final Field CONSUMER_COUNTER = D.field("consumer_counter", 0x148, 24);
  public static final Field PRODUCER_COUNTER = D.field("producer_counter", 0x168, 24);

  public static final Structure STRUCTURE = D.structure();

  private Eqc() {}
}
