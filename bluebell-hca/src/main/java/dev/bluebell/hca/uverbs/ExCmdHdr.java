package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * The 16 bytes that follow {@link CmdHdr} in the extended form of a write command. Mirrors {@code
 * rdma/ib_user_verbs.h: ib_uverbs_ex_cmd_hdr}.
 */
public final class ExCmdHdr {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_ex_cmd_hdr", 16);

  public static final Field RESPONSE = D.u64("response", 0);
  public static final Field PROVIDER_IN_WORDS = D.u16("provider_in_words", 8);
  public static final Field PROVIDER_OUT_WORDS = D.u16("provider_out_words", 10);
  public static final Field CMD_HDR_RESERVED = D.u32("cmd_hdr_reserved", 12);

  public static final Structure STRUCTURE = D.structure();

  private ExCmdHdr() {}
}
