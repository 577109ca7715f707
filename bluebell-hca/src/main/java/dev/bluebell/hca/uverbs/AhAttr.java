package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** The path in {@link CreateAh}. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_ah_attr}. */
public final class AhAttr {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_ah_attr", 32);

  public static final Area GRH = D.struct("grh", 0, GlobalRoute.STRUCTURE);
  public static final Field DLID = D.u16("dlid", 24);
  public static final Field SL = D.u8("sl", 26);
  public static final Field SRC_PATH_BITS = D.u8("src_path_bits", 27);
  public static final Field STATIC_RATE = D.u8("static_rate", 28);
  public static final Field IS_GLOBAL = D.u8("is_global", 29);
  public static final Field PORT_NUM = D.u8("port_num", 30);

  public static final Structure STRUCTURE = D.structure();

  private AhAttr() {}
}
