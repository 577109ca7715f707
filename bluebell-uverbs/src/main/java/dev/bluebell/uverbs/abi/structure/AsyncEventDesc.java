package dev.bluebell.uverbs.abi.structure;

import dev.bluebell.uverbs.abi.Field;
import dev.bluebell.uverbs.abi.Structure;

/**
 * An asynchronous event, as a client reads it from a file. Mirrors {@code rdma/ib_user_verbs.h:
 * ib_uverbs_async_event_desc}.
 */
public final class AsyncEventDesc {
  private static final Structure.Definition D = Structure.define("ib_uverbs_async_event_desc", 16);

  public static final Field ELEMENT = D.u64("element", 0);
  public static final Field EVENT_TYPE = D.u32("event_type", 8);

  public static final Structure STRUCTURE = D.structure();

  private AsyncEventDesc() {}
}
