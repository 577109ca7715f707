package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * Output of CREATE_COMP_CHANNEL. Mirrors {@code rdma/ib_user_verbs.h:
 * ib_uverbs_create_comp_channel_resp}.
 */
public final class CreateCompChannelResp {
  private static final Structure.Definition D =
      Structure.littleEndian("ib_uverbs_create_comp_channel_resp", 4);

  public static final Field FD = D.u32("fd", 0);

  public static final Structure STRUCTURE = D.structure();

  private CreateCompChannelResp() {}
}
