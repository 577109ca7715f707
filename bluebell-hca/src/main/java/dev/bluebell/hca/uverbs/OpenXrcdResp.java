package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Output of OPEN_XRCD. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_open_xrcd_resp}. */
public final class OpenXrcdResp {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_open_xrcd_resp", 4);

  public static final Field XRCD_HANDLE = D.u32("xrcd_handle", 0);

  public static final Structure STRUCTURE = D.structure();

  private OpenXrcdResp() {}
}
