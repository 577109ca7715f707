package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * Tag matching in {@link ExQueryDeviceResp}. Mirrors {@code rdma/ib_user_verbs.h:
 * ib_uverbs_tm_caps}.
 */
public final class TmCaps {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_tm_caps", 24);

  /** Bytes of the largest message that asks for a rendezvous. */
  public static final Field MAX_RNDV_HDR_SIZE = D.u32("max_rndv_hdr_size", 0);

  public static final Field MAX_NUM_TAGS = D.u32("max_num_tags", 4);
  public static final Field FLAGS = D.u32("flags", 8);
  public static final Field MAX_OPS = D.u32("max_ops", 12);
  public static final Field MAX_SGE = D.u32("max_sge", 16);

  public static final Structure STRUCTURE = D.structure();

  private TmCaps() {}
}
