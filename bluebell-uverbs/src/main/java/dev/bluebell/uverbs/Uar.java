package dev.bluebell.uverbs;

import dev.bluebell.hca.HcaUar;
import dev.bluebell.hca.command.ObjectKind;

/**
 * A UAR page, which the program maps. Mirrors {@code rdma/mlx5_user_ioctl_cmds.h:
 * MLX5_IB_OBJECT_UAR}.
 *
 * @param mapped the page, shared with the program
 * @param page what the device knows of it
 */
record Uar(DevicePages pages, DevicePages.Page mapped, HcaUar page) implements Handles.Held {
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
