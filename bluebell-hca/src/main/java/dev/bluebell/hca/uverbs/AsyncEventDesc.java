package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * An asynchronous event, as a client reads it from a file. Mirrors {@code rdma/ib_user_verbs.h:
 * ib_uverbs_async_event_desc}.
 */
public final class AsyncEventDesc {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_async_event_desc", 16);

  public static final Field ELEMENT = D.u64("element", 0);
  public static final Field EVENT_TYPE = D.u32("event_type", 8);

  public static final Structure STRUCTURE = D.structure();

  private AsyncEventDesc() {}
}
