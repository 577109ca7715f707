package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Data of a queue pair event. Mirrors {@code mlx5_ifc.h: mlx5_ifc_qp_events_bits} of Linux. */
public final class QpEvents {
  private static final Structure.Definition D = Structure.define("qp_events", 224);

  public static final Field TYPE = D.field("type", 0x0a0, 8);
  public static final Field QPN_RQN_SQN = D.field("qpn_rqn_sqn", 0x0c8, 24);

  public static final Structure STRUCTURE = D.structure();

  private QpEvents() {}
}
