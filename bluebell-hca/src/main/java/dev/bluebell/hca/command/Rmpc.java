package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Receive memory pool context. Mirrors {@code mlx5_ifc.h: mlx5_ifc_rmpc_bits} of Linux. */
public final class Rmpc {
  private static final Structure.Definition D = Structure.define("rmpc", 1920);

  public static final Field STATE = D.field("state", 0x008, 4);
  public static final Field BASIC_CYCLIC_RCV_WQE = D.field("basic_cyclic_rcv_wqe", 0x020, 1);
  public static final Area WQ = D.area("wq", 0x180, Wq.STRUCTURE);

  public static final Structure STRUCTURE = D.structure();

  /** state: {@code MLX5_RMPC_STATE_RDY}. */
  public static final int STATE_RDY = 1;

  private Rmpc() {}
}
