package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Completion channels and asynchronous events. */
public final class EventAbi {
  /**
   * Input of CREATE_COMP_CHANNEL. Mirrors {@code rdma/ib_user_verbs.h:
   * ib_uverbs_create_comp_channel}.
   */
  public static final class CreateCompChannel {
    public static final Structure STRUCTURE =
        Structure.littleEndian("ib_uverbs_create_comp_channel", 8);
    public static final Field RESPONSE = STRUCTURE.u64("response", 0);

    private CreateCompChannel() {}
  }

  /**
   * Output of CREATE_COMP_CHANNEL. Mirrors {@code rdma/ib_user_verbs.h:
   * ib_uverbs_create_comp_channel_resp}.
   */
  public static final class CreateCompChannelResp {
    public static final Structure STRUCTURE =
        Structure.littleEndian("ib_uverbs_create_comp_channel_resp", 4);
    public static final Field FD = STRUCTURE.u32("fd", 0);

    private CreateCompChannelResp() {}
  }

  /**
   * A completion event, as a client reads it from a completion channel. Mirrors {@code
   * rdma/ib_user_verbs.h: ib_uverbs_comp_event_desc}.
   */
  public static final class CompEventDesc {
    public static final Structure STRUCTURE =
        Structure.littleEndian("ib_uverbs_comp_event_desc", 8);
    public static final Field CQ_HANDLE = STRUCTURE.u64("cq_handle", 0);

    private CompEventDesc() {}
  }

  /**
   * An asynchronous event, as a client reads it from a file. Mirrors {@code rdma/ib_user_verbs.h:
   * ib_uverbs_async_event_desc}.
   */
  public static final class AsyncEventDesc {
    public static final Structure STRUCTURE =
        Structure.littleEndian("ib_uverbs_async_event_desc", 16);
    public static final Field ELEMENT = STRUCTURE.u64("element", 0);
    public static final Field EVENT_TYPE = STRUCTURE.u32("event_type", 8);

    private AsyncEventDesc() {}
  }

  /**
   * UVERBS_METHOD_ASYNC_EVENT_ALLOC: opening a file for asynchronous events. Mirrors {@code
   * rdma/ib_user_ioctl_cmds.h: uverbs_attrs_async_event_create}.
   */
  public static final class AsyncEventAllocAttrs {
    public static final Method METHOD =
        new Method(IoctlObject.ASYNC_EVENT, "UVERBS_METHOD_ASYNC_EVENT_ALLOC", 0);
    public static final Attribute FD_HANDLE =
        METHOD.attribute("UVERBS_ATTR_ASYNC_EVENT_ALLOC_FD_HANDLE", 0);

    private AsyncEventAllocAttrs() {}
  }

  private EventAbi() {}
}
