package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** One entry of an indirect memory key. Mirrors {@code mlx5_prm.h: mlx5_ifc_klm_bits} of DPDK. */
public final class Klm {
  private static final Structure.Definition D = Structure.define("klm", 128);

  public static final Field BYTE_COUNT = D.field("byte_count", 0x000, 32);
  public static final Field MKEY = D.field("mkey", 0x020, 32);
  public static final Field ADDRESS = D.field("address", 0x040, 64);

  public static final Structure STRUCTURE = D.structure();

  private Klm() {}
}
