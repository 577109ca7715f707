package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of ATTACH_TO_MCG. Mirrors {@code mlx5_ifc.h: mlx5_ifc_attach_to_mcg_in_bits} of Linux. */
public final class AttachToMcgIn {
  private static final Structure.Definition D = Structure.define("attach_to_mcg_in", 256);

  public static final Field OPCODE = D.field("opcode", 0x000, 16);
  public static final Field UID = D.field("uid", 0x010, 16);
  public static final Field OP_MOD = D.field("op_mod", 0x030, 16);
  public static final Field QPN = D.field("qpn", 0x048, 24);
  public static final Field MULTICAST_GID = D.field("multicast_gid", 0x080, 128);

  public static final Structure STRUCTURE = D.structure();

  private AttachToMcgIn() {}
}
