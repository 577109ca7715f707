package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * The structure resize_field_select. Mirrors {@code mlx5_ifc.h: mlx5_ifc_resize_field_select_bits}
 * of Linux.
 */
public final class ResizeFieldSelect {
  private static final Structure.Definition D = Structure.define("resize_field_select", 32);

  public static final Field RESIZE_FIELD_SELECT = D.field("resize_field_select", 0x000, 32);

  public static final Structure STRUCTURE = D.structure();

  /** What a new ring has: size, page offset and page size. */
  public static final int RING = 0x7;

  private ResizeFieldSelect() {}
}
