package dev.bluebell.uverbs.uar;

import dev.bluebell.hca.HcaUar;
import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.uverbs.call.Errno;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.pages.DevicePages;
import dev.bluebell.uverbs.session.Handles;
import dev.bluebell.uverbs.session.Session;

/**
 * A UAR page, which the client maps. Mirrors {@code rdma/mlx5_user_ioctl_cmds.h:
 * MLX5_IB_OBJECT_UAR}.
 *
 * @param mapped the page, shared with the client
 * @param page what the device knows of it
 */
public record Uar(DevicePages pages, DevicePages.Page mapped, HcaUar page) implements Handles.Held {
  /** Finds a page by its number, which queues name it by. */
  public static Uar numbered(Session session, int number) {
    return session.handles().all(Uar.class).stream()
        .filter(uar -> uar.number() == number)
        .findFirst()
        .orElseThrow(
            () ->
                new Refusal(
                    Errno.EINVAL, "UAR page 0x%x does not belong to the client".formatted(number)));
  }

  public int number() {
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
