package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Output of CREATE_PSV. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_psv_out_bits} of Linux. */
public final class CreatePsvOut {
  private static final Structure.Definition D = Structure.define("create_psv_out", 256);

  public static final Field STATUS = D.field("status", 0x000, 8);
  public static final Field SYNDROME = D.field("syndrome", 0x020, 32);
  public static final Field PSV0_INDEX = D.field("psv0_index", 0x088, 24);
  public static final Field PSV1_INDEX = D.field("psv1_index", 0x0a8, 24);
  public static final Field PSV2_INDEX = D.field("psv2_index", 0x0c8, 24);
  public static final Field PSV3_INDEX = D.field("psv3_index", 0x0e8, 24);

  public static final Structure STRUCTURE = D.structure();

  private CreatePsvOut() {}
}
