package dev.bluebell.uverbs.devx;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.HcaUmem;
import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.hca.uverbs.DevxAbi.DevxUmemDeregAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.DevxUmemRegAttrs;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.server.Account;
import dev.bluebell.server.Processes;
import dev.bluebell.uverbs.call.IoctlCall;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.pages.SharedRanges;
import dev.bluebell.uverbs.session.Handles;
import dev.bluebell.uverbs.session.Session;
import java.io.IOException;

/**
 * Memory that a client's commands name by number. Memory keys over it access the client's memory
 * directly; creating a queue in it first shares its pages, as for other queues. Mirrors {@code
 * mlx5_ib devx.c: MLX5_IB_METHOD_DEVX_UMEM_REG}.
 */
public final class DevxUmem implements Handles.Held {
  private final HcaUmem umem;
  private final long address;
  private final long length;
  private final Account.Hold pages;
  private int queues;

  private DevxUmem(HcaUmem umem, long address, long length, Account.Hold pages) {
    this.pages = pages;
    this.umem = umem;
    this.address = address;
    this.length = length;
  }

  public static void register(Session session, IoctlCall call) throws IOException {
    session.requireDevx();
    long address = call.number(DevxUmemRegAttrs.ADDR);
    long length = call.number(DevxUmemRegAttrs.LEN);
    int access = call.handle(DevxUmemRegAttrs.ACCESS, 0);
    Refusal.require(
        length > 0 && address > 0 && address <= Long.MAX_VALUE - length,
        Errno.EINVAL,
        "a umem can't have %s bytes at 0x%x",
        Long.toUnsignedString(length),
        address);
    String why =
        Processes.whyNotMapped(
            session.process(), address, length, (access & HcaAccess.LOCAL_WRITE) != 0);
    Refusal.require(why.isEmpty(), Errno.EFAULT, "%s", why);
    Account.Hold pages = session.pinned().pin(address, length);
    HcaUmem umem;
    try {
      umem = session.hosting().registerUmem(session.payload(), address, length);
    } catch (RuntimeException e) {
      pages.close();
      throw e;
    }
    int handle = session.handles().add(new DevxUmem(umem, address, length, pages));
    call.putInt(DevxUmemRegAttrs.OUT_ID, umem.number());
    call.putHandle(DevxUmemRegAttrs.HANDLE, handle);
  }

  public static void deregister(Session session, IoctlCall call) throws IOException {
    session.handles().destroy(DevxUmem.class, call.handle(DevxUmemDeregAttrs.HANDLE));
  }

  int number() {
    return umem.number();
  }

  /** Shares the pages for a queue; returns the place of this memory's first byte. */
  SharedRanges.Place share(Session session) throws IOException {
    SharedRanges.Place place = session.ranges().shareRegistered("DevX umem", address, length);
    queues++;
    return place;
  }

  /** Called when a queue that shared the pages is destroyed. */
  void unshare() {
    queues--;
  }

  @Override
  public int rank() {
    return ObjectKind.UMEM.ordinal();
  }

  @Override
  public void destroy(boolean alive) {
    Refusal.require(
        queues == 0, Errno.EBUSY, "umem 0x%x still holds %d queues", umem.number(), queues);
    umem.close();
    pages.close();
  }
}
