package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of OPEN_QP. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_open_qp}. */
public final class OpenQp {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_open_qp", 32);

  public static final Field RESPONSE = D.u64("response", 0);
  public static final Field USER_HANDLE = D.u64("user_handle", 8);
  public static final Field PD_HANDLE = D.u32("pd_handle", 16);
  public static final Field QPN = D.u32("qpn", 20);
  public static final Field QP_TYPE = D.u8("qp_type", 24);

  public static final Structure STRUCTURE = D.structure();

  private OpenQp() {}
}
