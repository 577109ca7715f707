package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of CLOSE_XRCD. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_close_xrcd}. */
public final class CloseXrcd {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_close_xrcd", 4);

  public static final Field XRCD_HANDLE = D.u32("xrcd_handle", 0);

  public static final Structure STRUCTURE = D.structure();

  private CloseXrcd() {}
}
