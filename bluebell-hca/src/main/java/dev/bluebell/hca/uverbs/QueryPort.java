package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of QUERY_PORT. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_query_port}. */
public final class QueryPort {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_query_port", 16);

  public static final Field RESPONSE = D.u64("response", 0);
  public static final Field PORT_NUM = D.u8("port_num", 8);

  public static final Structure STRUCTURE = D.structure();

  private QueryPort() {}
}
