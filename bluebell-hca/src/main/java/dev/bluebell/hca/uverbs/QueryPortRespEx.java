package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * Output of UVERBS_METHOD_QUERY_PORT. Mirrors {@code rdma/ib_user_ioctl_verbs.h:
 * ib_uverbs_query_port_resp_ex}.
 */
public final class QueryPortRespEx {
  private static final Structure.Definition D =
      Structure.littleEndian("ib_uverbs_query_port_resp_ex", 48);

  public static final Area LEGACY_RESP = D.struct("legacy_resp", 0, QueryPortResp.STRUCTURE);
  public static final Field PORT_CAP_FLAGS2 = D.u16("port_cap_flags2", 40);

  public static final Structure STRUCTURE = D.structure();

  private QueryPortRespEx() {}
}
