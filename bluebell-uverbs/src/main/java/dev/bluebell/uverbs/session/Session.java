package dev.bluebell.uverbs.session;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaHosting;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.server.Account;
import dev.bluebell.server.Client;
import dev.bluebell.server.ProcessMemory;
import dev.bluebell.server.WatchedProcess;
import dev.bluebell.uverbs.call.ClientMemory;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.call.ShimChannel;
import dev.bluebell.uverbs.pages.DevicePages;
import dev.bluebell.uverbs.pages.PinnedMemory;
import dev.bluebell.uverbs.pages.SharedRanges;
import dev.bluebell.uverbs.pages.Sharing;
import dev.bluebell.uverbs.xrc.XrcDomains;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;

/**
 * The state of an open device file, which all calls of a client share.
 *
 * @param client the client
 * @param memory of the client, for the arguments of calls
 * @param payload of the client, for the thread that runs the device
 * @param devx whether the client opened the context for DevX
 * @param registers UAR pages of a client that allocates none by calls
 * @param pinned the pages that a card would pin
 * @param xrcDomains the XRC domains of all clients
 * @param sharing the sharing that was allowed when the client was started
 */
public record Session(
    Hca hca,
    HcaHosting hosting,
    Client client,
    ShimChannel shim,
    ClientMemory memory,
    ProcessMemory payload,
    Handles handles,
    SharedRanges ranges,
    DevicePages pages,
    ContextRegisters registers,
    HcaHosting.ShownClock clock,
    EventRouter events,
    PinnedMemory pinned,
    XrcDomains xrcDomains,
    AtomicBoolean devx,
    AtomicReference<Sharing> sharing) {

  /**
   * Opens a device file.
   *
   * @param table of the pages that the client's process shares
   */
  public static Session open(
      Hca hca,
      HcaHosting hosting,
      Client client,
      ShimChannel shim,
      SharedRanges.Table table,
      XrcDomains xrcDomains)
      throws IOException {
    WatchedProcess process = client.process();
    PinnedMemory pinned = new PinnedMemory(client.account());
    DevicePages pages = new DevicePages(client.account());
    HcaHosting.ShownClock clock;
    try {
      ClockPages.write(hca, pages);
      clock = ClockPages.show(hosting, pages);
    } catch (RuntimeException e) {
      pages.close();
      throw e;
    }
    return new Session(
        hca,
        hosting,
        client,
        shim,
        new ClientMemory(process),
        table.payload(process),
        new Handles(client.account()),
        new SharedRanges(hca, shim, client, pinned, table),
        pages,
        new ContextRegisters(hosting, pages),
        clock,
        new EventRouter(hca, client),
        pinned,
        xrcDomains,
        new AtomicBoolean(),
        new AtomicReference<>(Sharing.NEVER));
  }

  /** The client's process. */
  public WatchedProcess process() {
    return client.process();
  }

  /** The client's account. */
  public Account account() {
    return client.account();
  }

  /** Throws unless the context was opened for DevX. */
  public void requireDevx() {
    Refusal.require(devx.get(), Errno.EINVAL, "the context was not opened for DevX");
  }

  /**
   * Frees everything, after the client has ended.
   *
   * @param failures gets the objects that could not be destroyed, and why
   */
  public void close(BiConsumer<Handles.Held, Throwable> failures) throws IOException {
    // First, so objects do not take back their unread events one by one.
    events.close();
    boolean all = handles.destroyAll(failures);
    clock.close();
    if (all) {
      registers.close();
      pages.close();
    }
    // Otherwise the device may still poll a page, so it must stay.
  }
}
