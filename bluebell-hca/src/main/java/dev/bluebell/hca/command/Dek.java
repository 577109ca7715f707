package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** The structure dek. Mirrors {@code mlx5_prm.h: mlx5_ifc_dek_bits} of DPDK. */
public final class Dek {
  private static final Structure.Definition D = Structure.define("dek", 2048);

  public static final Field MODIFY_FIELD_SELECT = D.field("modify_field_select", 0x000, 64);
  public static final Field STATE = D.field("state", 0x040, 8);
  public static final Field KEY_SIZE = D.field("key_size", 0x054, 4);
  public static final Field HAS_KEYTAG = D.field("has_keytag", 0x058, 1);
  public static final Field KEY_PURPOSE = D.field("key_purpose", 0x05c, 4);
  public static final Field PD = D.field("pd", 0x068, 24);
  public static final Field OPAQUE = D.field("opaque", 0x180, 64);
  public static final Field KEY = D.field("key", 0x200, 1024);

  public static final Structure STRUCTURE = D.structure();

  private Dek() {}
}
