package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * Input of CREATE_COMP_CHANNEL. Mirrors {@code rdma/ib_user_verbs.h:
 * ib_uverbs_create_comp_channel}.
 */
public final class CreateCompChannel {
  private static final Structure.Definition D =
      Structure.littleEndian("ib_uverbs_create_comp_channel", 8);

  public static final Field RESPONSE = D.u64("response", 0);

  public static final Structure STRUCTURE = D.structure();

  private CreateCompChannel() {}
}
