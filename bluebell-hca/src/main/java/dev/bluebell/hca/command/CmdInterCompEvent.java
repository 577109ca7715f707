package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * The structure cmd_inter_comp_event. Mirrors {@code mlx5_ifc.h:
 * mlx5_ifc_cmd_inter_comp_event_bits} of Linux.
 */
public final class CmdInterCompEvent {
  private static final Structure.Definition D = Structure.define("cmd_inter_comp_event", 224);

  public static final Field COMMAND_COMPLETION_VECTOR =
      D.field("command_completion_vector", 0x000, 32);

  public static final Structure STRUCTURE = D.structure();

  private CmdInterCompEvent() {}
}
