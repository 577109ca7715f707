package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * A piece of memory in the list of UVERBS_METHOD_ADVISE_MR. Mirrors {@code rdma/ib_user_verbs.h:
 * ib_uverbs_sge}.
 */
public final class Sge {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_sge", 16);

  public static final Field ADDR = D.u64("addr", 0);
  public static final Field LENGTH = D.u32("length", 8);
  public static final Field LKEY = D.u32("lkey", 12);

  public static final Structure STRUCTURE = D.structure();

  private Sge() {}
}
