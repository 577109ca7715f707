package dev.bluebell.uverbs.uar;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaUar;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.pages.DevicePages;
import dev.bluebell.uverbs.session.Handles;
import dev.bluebell.uverbs.session.Session;

/**
 * A UAR page, which the client maps. Mirrors {@code rdma/mlx5_user_ioctl_cmds.h:
 * MLX5_IB_OBJECT_UAR}.
 */
public final class Uar implements Handles.Held {
  private final DevicePages pages;
  private final DevicePages.Page mapped;
  private final HcaUar page;
  private boolean freed;
  private boolean closed;

  /**
   * @param mapped the page, shared with the client
   * @param page the device's object for it
   */
  Uar(DevicePages pages, DevicePages.Page mapped, HcaUar page) {
    this.pages = pages;
    this.mapped = mapped;
    this.page = page;
  }

  /** Returns the number; throws if the client has no page with it. */
  public static int require(Session session, int number) {
    Refusal.require(
        session.registers().have(number)
            || session.handles().all(Uar.class).stream()
                .anyMatch(uar -> uar.number() == number && !uar.freed),
        Errno.EINVAL,
        "UAR page 0x%x does not belong to the client",
        number);
    return number;
  }

  public int number() {
    return page.number();
  }

  /** The client frees it. Existing queues keep it alive, as the kernel's mapping does. */
  void free() {
    Refusal.require(!freed, Errno.ENOENT, "UAR page 0x%x was already freed", number());
    freed = true;
  }

  /** Releases the page if the client freed it and no queue uses it; true when it is released. */
  boolean isGone() {
    if (!freed) {
      return false;
    }
    try {
      destroy(true);
      return true;
    } catch (HcaException refusal) {
      if (refusal.status() != CommandStatus.RES_BUSY) {
        throw refusal;
      }
      return false;
    }
  }

  @Override
  public int rank() {
    return ObjectKind.UAR_PAGE.ordinal();
  }

  @Override
  public void destroy(boolean alive) {
    if (!closed) {
      page.close();
      closed = true;
      pages.give(mapped);
    }
  }
}
