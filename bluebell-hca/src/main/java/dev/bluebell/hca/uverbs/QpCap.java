package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * The sizes of a QP's queues. Other structures have these fields as their own. Mirrors {@code
 * rdma/ib_user_ioctl_verbs.h: ib_uverbs_qp_cap}.
 */
public final class QpCap {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_qp_cap", 20);

  public static final Field MAX_SEND_WR = D.u32("max_send_wr", 0);
  public static final Field MAX_RECV_WR = D.u32("max_recv_wr", 4);
  public static final Field MAX_SEND_SGE = D.u32("max_send_sge", 8);
  public static final Field MAX_RECV_SGE = D.u32("max_recv_sge", 12);
  public static final Field MAX_INLINE_DATA = D.u32("max_inline_data", 16);

  public static final Structure STRUCTURE = D.structure();

  private QpCap() {}
}
