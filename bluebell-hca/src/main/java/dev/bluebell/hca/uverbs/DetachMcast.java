package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of DETACH_MCAST. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_detach_mcast}. */
public final class DetachMcast {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_detach_mcast", 24);

  public static final Field GID = D.bytes("gid", 0, 16);
  public static final Field QP_HANDLE = D.u32("qp_handle", 16);
  public static final Field MLID = D.u16("mlid", 20);

  public static final Structure STRUCTURE = D.structure();

  private DetachMcast() {}
}
