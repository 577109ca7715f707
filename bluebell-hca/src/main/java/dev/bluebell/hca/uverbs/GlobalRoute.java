package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** The route in {@link AhAttr}. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_global_route}. */
public final class GlobalRoute {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_global_route", 24);

  public static final Field DGID = D.bytes("dgid", 0, 16);
  public static final Field FLOW_LABEL = D.u32("flow_label", 16);
  public static final Field SGID_INDEX = D.u8("sgid_index", 20);
  public static final Field HOP_LIMIT = D.u8("hop_limit", 21);
  public static final Field TRAFFIC_CLASS = D.u8("traffic_class", 22);

  public static final Structure STRUCTURE = D.structure();

  private GlobalRoute() {}
}
