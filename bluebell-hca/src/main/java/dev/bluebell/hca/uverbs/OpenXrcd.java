package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of OPEN_XRCD. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_open_xrcd}. */
public final class OpenXrcd {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_open_xrcd", 16);

  public static final Field RESPONSE = D.u64("response", 0);
  public static final Field FD = D.u32("fd", 8);
  public static final Field OFLAGS = D.u32("oflags", 12);

  public static final Structure STRUCTURE = D.structure();

  private OpenXrcd() {}
}
