package dev.bluebell.uverbs;

import dev.bluebell.hca.HcaUar;
import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.server.SharedMemory;
import java.io.IOException;

/**
 * A UAR page, which the program maps. Mirrors {@code mlx5_user_ioctl_cmds.h: MLX5_IB_OBJECT_UAR}.
 *
 * @param mapped the page, shared with the program
 * @param page what the device knows of it
 */
record Uar(DevicePages pages, DevicePages.Page mapped, HcaUar page) implements Handles.Held {
  private static final int ALLOC_HANDLE = 0x1000;
  private static final int ALLOC_TYPE = 0x1001;
  private static final int ALLOC_MMAP_OFFSET = 0x1002;
  private static final int ALLOC_MMAP_LENGTH = 0x1003;
  private static final int ALLOC_PAGE_ID = 0x1004;

  private static final int TYPE_NON_CACHED = 1;

  static void allocate(Session session, IoctlCall call) throws IOException {
    Refusal.require(
        call.number(ALLOC_TYPE) >= 0 && call.number(ALLOC_TYPE) <= TYPE_NON_CACHED,
        Errno.EOPNOTSUPP,
        "UAR pages are of type 0 or 1");
    DevicePages.Page mapped = session.pages().take();
    HcaUar page;
    try {
      page = session.hosting().allocateUar(mapped.segment());
    } catch (RuntimeException e) {
      session.pages().give(mapped);
      throw e;
    }
    int handle = session.handles().add(new Uar(session.pages(), mapped, page));
    call.putLong(ALLOC_MMAP_OFFSET, mapped.offset());
    call.putInt(ALLOC_MMAP_LENGTH, SharedMemory.PAGE_BYTES);
    call.putInt(ALLOC_PAGE_ID, page.number());
    call.putHandle(ALLOC_HANDLE, handle);
  }

  /** The page with a number, which queues name. */
  static Uar numbered(Session session, int number) {
    return session.handles().all(Uar.class).stream()
        .filter(uar -> uar.number() == number)
        .findFirst()
        .orElseThrow(
            () -> new Refusal(Errno.EINVAL, "UAR page %d is not the program's".formatted(number)));
  }

  int number() {
    return page.number();
  }

  @Override
  public int rank() {
    return ObjectKind.UAR_PAGE.ordinal();
  }

  @Override
  public void destroy(boolean alive) {
    page.close();
    pages.give(mapped);
  }
}
