package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * Output of ALLOC_Q_COUNTER. Mirrors {@code mlx5_ifc.h: mlx5_ifc_alloc_q_counter_out_bits} of
 * Linux.
 */
public final class AllocQCounterOut {
  private static final Structure.Definition D = Structure.define("alloc_q_counter_out", 128);

  public static final Field STATUS = D.field("status", 0x000, 8);
  public static final Field SYNDROME = D.field("syndrome", 0x020, 32);
  public static final Field COUNTER_SET_ID = D.field("counter_set_id", 0x058, 8);

  public static final Structure STRUCTURE = D.structure();

  private AllocQCounterOut() {}
}
