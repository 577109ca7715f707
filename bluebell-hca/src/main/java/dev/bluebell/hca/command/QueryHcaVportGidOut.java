package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * Output of QUERY_HCA_VPORT_GID. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_hca_vport_gid_out_bits}
 * of Linux.
 */
public final class QueryHcaVportGidOut {
  private static final Structure.Definition D = Structure.define("query_hca_vport_gid_out", 128);

  public static final Field STATUS = D.field("status", 0x000, 8);
  public static final Field SYNDROME = D.field("syndrome", 0x020, 32);
  public static final Field GIDS_NUM = D.field("gids_num", 0x060, 16);

  public static final Structure STRUCTURE = D.structure();

  private QueryHcaVportGidOut() {}
}
