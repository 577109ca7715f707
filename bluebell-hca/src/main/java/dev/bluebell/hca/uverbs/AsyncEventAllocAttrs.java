package dev.bluebell.hca.uverbs;


/**
 * UVERBS_METHOD_ASYNC_EVENT_ALLOC: opening a file for asynchronous events. Mirrors {@code
 * rdma/ib_user_ioctl_cmds.h: uverbs_attrs_async_event_create}.
 */
public final class AsyncEventAllocAttrs {
  private static final Method.Definition D =
      Method.define(IoctlObject.ASYNC_EVENT, "UVERBS_METHOD_ASYNC_EVENT_ALLOC", 0);

  public static final Attribute FD_HANDLE =
      D.attribute("UVERBS_ATTR_ASYNC_EVENT_ALLOC_FD_HANDLE", 0);

  public static final Method METHOD = D.method();

  private AsyncEventAllocAttrs() {}
}
