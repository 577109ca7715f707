package dev.bluebell.uverbs.uar;

import dev.bluebell.hca.HcaUar;
import dev.bluebell.hca.uverbs.DevxAbi.UarObjAllocAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.UarObjDestroyAttrs;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.Mlx5;
import dev.bluebell.server.SharedMemory;
import dev.bluebell.uverbs.call.IoctlCall;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.pages.DevicePages;
import dev.bluebell.uverbs.session.Session;
import java.io.IOException;

/** The calls about UAR pages. */
public final class UarCalls {
  private UarCalls() {}

  public static void allocate(Session session, IoctlCall call) throws IOException {
    long type = call.number(UarObjAllocAttrs.TYPE);
    Refusal.require(
        type >= 0 && type <= Mlx5.IB_UAPI_UAR_ALLOC_TYPE_NC,
        Errno.EOPNOTSUPP,
        "a UAR page of type %d is not supported; types 0 and 1 are",
        type);
    session.handles().forget(Uar.class, Uar::isGone);
    DevicePages.Page mapped = session.pages().take();
    HcaUar page;
    try {
      page = session.hosting().allocateUar(mapped.segment());
    } catch (RuntimeException e) {
      session.pages().give(mapped);
      throw e;
    }
    int handle = session.handles().add(new Uar(session.pages(), mapped, page));
    call.putLong(UarObjAllocAttrs.MMAP_OFFSET, mapped.offset());
    call.putInt(UarObjAllocAttrs.MMAP_LENGTH, SharedMemory.PAGE_BYTES);
    call.putInt(UarObjAllocAttrs.PAGE_ID, page.number());
    call.putHandle(UarObjAllocAttrs.HANDLE, handle);
  }

  public static void free(Session session, IoctlCall call) throws IOException {
    session.handles().find(Uar.class, call.handle(UarObjDestroyAttrs.HANDLE)).free();
    session.handles().forget(Uar.class, Uar::isGone);
  }
}
