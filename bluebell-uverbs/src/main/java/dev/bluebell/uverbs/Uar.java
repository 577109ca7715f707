package dev.bluebell.uverbs;

import dev.bluebell.hca.HcaUar;
import dev.bluebell.server.SharedMemory;
import java.io.IOException;

/**
 * A UAR page, which the program maps. Mirrors {@code mlx5_user_ioctl_cmds.h: MLX5_IB_OBJECT_UAR}.
 *
 * @param memory the page, shared with the program
 */
record Uar(SharedMemory memory, HcaUar page) implements Handles.Held {
  private static final int ALLOC_HANDLE = 0x1000;
  private static final int ALLOC_TYPE = 0x1001;
  private static final int ALLOC_MMAP_OFFSET = 0x1002;
  private static final int ALLOC_MMAP_LENGTH = 0x1003;
  private static final int ALLOC_PAGE_ID = 0x1004;

  /** Offsets of mapped pages: the command in bits 8 and up of the page index, 6 for such pages. */
  private static final long MMAP_OFFSET = 6L << 8;

  private static final int TYPE_NON_CACHED = 1;

  static void allocate(Session session, IoctlCall call) throws IOException {
    Refusal.require(
        call.number(ALLOC_TYPE) >= 0 && call.number(ALLOC_TYPE) <= TYPE_NON_CACHED,
        Errno.EOPNOTSUPP,
        "UAR pages are of type 0 or 1");
    SharedMemory memory = new SharedMemory("bluebell-uar", SharedMemory.PAGE_BYTES);
    Uar uar;
    try {
      uar = new Uar(memory, session.hosting().allocateUar(memory.segment()));
    } catch (RuntimeException e) {
      memory.close();
      throw e;
    }
    int handle = session.handles().add(uar);
    call.putLong(ALLOC_MMAP_OFFSET, offset(uar.number()));
    call.putInt(ALLOC_MMAP_LENGTH, SharedMemory.PAGE_BYTES);
    call.putInt(ALLOC_PAGE_ID, uar.number());
    call.putHandle(ALLOC_HANDLE, handle);
  }

  // As the kernel splits an index of more than 8 bits around the command.
  private static long offset(int number) {
    long index = number & 0xff | MMAP_OFFSET | (long) (number >> 8) << 16;
    return index * SharedMemory.PAGE_BYTES;
  }

  /** The page that a program maps by an offset. */
  static Uar at(Session session, long offset, long bytes) {
    return session.handles().all(Uar.class).stream()
        .filter(uar -> offset(uar.number()) == offset && bytes == SharedMemory.PAGE_BYTES)
        .findFirst()
        .orElseThrow(
            () ->
                new Refusal(
                    Errno.EINVAL, "mmap of %d bytes at offset 0x%x".formatted(bytes, offset)));
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
    return 4;
  }

  @Override
  public void destroy(boolean alive) throws IOException {
    page.close();
    memory.close();
  }
}
