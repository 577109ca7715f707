package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * The 8 bytes that every write command starts with. Mirrors {@code rdma/ib_user_verbs.h:
 * ib_uverbs_cmd_hdr}.
 */
public final class CmdHdr {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_cmd_hdr", 8);

  public static final Field COMMAND = D.u32("command", 0);
  public static final Field IN_WORDS = D.u16("in_words", 4);
  public static final Field OUT_WORDS = D.u16("out_words", 6);

  public static final Structure STRUCTURE = D.structure();

  private CmdHdr() {}
}
