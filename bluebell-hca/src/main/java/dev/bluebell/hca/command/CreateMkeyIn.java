package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of CREATE_MKEY. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_mkey_in_bits} of Linux. */
public final class CreateMkeyIn {
  private static final Structure.Definition D = Structure.define("create_mkey_in", 2176);

  public static final Field OPCODE = D.field("opcode", 0x000, 16);
  public static final Field UID = D.field("uid", 0x010, 16);
  public static final Field OP_MOD = D.field("op_mod", 0x030, 16);
  public static final Field INPUT_MKEY_INDEX = D.field("input_mkey_index", 0x048, 24);
  public static final Field PG_ACCESS = D.field("pg_access", 0x060, 1);
  public static final Field MKEY_UMEM_VALID = D.field("mkey_umem_valid", 0x061, 1);
  public static final Field CMD_ON_BEHALF = D.field("cmd_on_behalf", 0x062, 1);
  public static final Field FUNCTION_ID = D.field("function_id", 0x070, 16);
  public static final Area MEMORY_KEY_MKEY_ENTRY =
      D.area("memory_key_mkey_entry", 0x080, Mkc.STRUCTURE);
  public static final Field TRANSLATIONS_OCTWORD_ACTUAL_SIZE =
      D.field("translations_octword_actual_size", 0x300, 32);
  public static final Field MKEY_UMEM_ID = D.field("mkey_umem_id", 0x320, 32);
  public static final Field MKEY_UMEM_OFFSET = D.field("mkey_umem_offset", 0x340, 64);

  public static final Structure STRUCTURE = D.structure();

  private CreateMkeyIn() {}
}
