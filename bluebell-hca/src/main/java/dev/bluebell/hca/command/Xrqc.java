package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** XRQ context. Mirrors {@code mlx5_ifc.h: mlx5_ifc_xrqc_bits} of Linux. */
public final class Xrqc {
  private static final Structure.Definition D = Structure.define("xrqc", 2560);

  public static final Field STATE = D.field("state", 0x000, 4);
  public static final Field RLKEY = D.field("rlkey", 0x004, 1);
  public static final Field TOPOLOGY = D.field("topology", 0x014, 4);
  public static final Field OFFLOAD = D.field("offload", 0x01c, 4);
  public static final Field USER_INDEX = D.field("user_index", 0x028, 24);
  public static final Field CQN = D.field("cqn", 0x048, 24);
  public static final Field DC = D.field("dc", 0x07f, 1);
  public static final Area TAG_MATCHING_TOPOLOGY_CONTEXT =
      D.area("tag_matching_topology_context", 0x100, TagMatchingTopologyContext.STRUCTURE);
  public static final Area WQ = D.area("wq", 0x400, Wq.STRUCTURE);

  public static final Structure STRUCTURE = D.structure();

  /** topology: tag matching, {@code mlx5_ifc.h: MLX5_XRQC_TOPOLOGY_TAG_MATCHING}. */
  public static final int TOPOLOGY_TAG_MATCHING = 1;

  /** offload: rendezvous, {@code mlx5_ifc.h: MLX5_XRQC_OFFLOAD_RNDV}. */
  public static final int OFFLOAD_RNDV = 1;

  private Xrqc() {}
}
