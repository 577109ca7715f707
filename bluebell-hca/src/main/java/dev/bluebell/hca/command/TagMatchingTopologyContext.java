package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * The structure tag_matching_topology_context. Mirrors {@code mlx5_ifc.h:
 * mlx5_ifc_tag_matching_topology_context_bits} of Linux.
 */
public final class TagMatchingTopologyContext {
  private static final Structure.Definition D =
      Structure.define("tag_matching_topology_context", 128);

  public static final Field LOG_MATCHING_LIST_SZ = D.field("log_matching_list_sz", 0x000, 4);
  public static final Field APPEND_NEXT_INDEX = D.field("append_next_index", 0x010, 16);
  public static final Field SW_PHASE_CNT = D.field("sw_phase_cnt", 0x020, 16);
  public static final Field HW_PHASE_CNT = D.field("hw_phase_cnt", 0x030, 16);

  public static final Structure STRUCTURE = D.structure();

  private TagMatchingTopologyContext() {}
}
