package dev.bluebell.uverbs;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.server.Client;
import dev.bluebell.server.ClientUid;
import dev.bluebell.server.DeviceServer;
import dev.bluebell.server.LocalSocket;
import dev.bluebell.server.MeteredHca;
import dev.bluebell.server.Quota;
import dev.bluebell.server.QuotaExceeded;
import dev.bluebell.server.remote.ClientShares;
import dev.bluebell.server.remote.ObservedClient;
import dev.bluebell.server.remote.Observers;
import dev.bluebell.uverbs.call.IoctlCall;
import dev.bluebell.uverbs.call.MissingService;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.call.ShimChannel;
import dev.bluebell.uverbs.cm.CmService;
import dev.bluebell.uverbs.device.ObjectCounts;
import dev.bluebell.uverbs.device.PortFile;
import dev.bluebell.uverbs.event.EventFile;
import dev.bluebell.uverbs.pages.PageTables;
import dev.bluebell.uverbs.pages.SharedRanges;
import dev.bluebell.uverbs.pages.Sharing;
import dev.bluebell.uverbs.session.Session;
import dev.bluebell.uverbs.xrc.XrcDomains;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The service for clients that open the uverbs device file. Thread-safe. */
public final class UverbsService implements DeviceServer.Service {
  private static final Logger LOGGER = System.getLogger("dev.bluebell.uverbs");

  /**
   * The low half of {@code rdma/rdma_user_ioctl_cmds.h: RDMA_VERBS_IOCTL}, the only part that is
   * compared.
   */
  private static final long VERBS_IOCTL = 0xc0181b01L;

  /** In place of a port number: counts objects of the whole device. */
  private static final int NO_PORT = 0;

  private final ClientShares shares;
  private final Observers observers;
  private final XrcDomains xrcDomains;
  private final PageTables pages = new PageTables();
  private final CmService connectionManager;
  private final AtomicInteger contexts = new AtomicInteger();

  /**
   * @param hca a device that can host other processes
   * @param observers get the reasons for refused calls
   */
  public UverbsService(Hca hca, Observers observers) {
    this(hca, new ClientShares(hca), observers);
  }

  /**
   * @param shares of that device, common to clients of all kinds
   */
  public UverbsService(Hca hca, ClientShares shares, Observers observers) {
    this.shares = shares;
    this.observers = observers;
    xrcDomains = new XrcDomains(hca);
    connectionManager = new CmService(hca);
  }

  @Override
  public void serve(Client client) throws IOException {
    Object process = client.process().identity();
    Hca share = shares.join(process);
    SharedRanges.Table table = pages.join(process);
    try (ClientUid uid = ClientUid.take()) {
      serve(
          client,
          new ObservedClient(
              new MeteredHca(share, client.account()), observers, client.process(), uid),
          table);
    } finally {
      pages.leave(process);
      shares.leave(process);
    }
  }

  private void serve(Client client, ObservedClient observed, SharedRanges.Table table)
      throws IOException {
    ShimChannel shim = new ShimChannel(client.connection());
    ShimChannel.Request first = shim.next();
    if (first == null || isAnswered(client, shim, observed, first)) {
      return;
    }
    Session session;
    try {
      session =
          Session.open(observed, observed.hosting().orElseThrow(), client, shim, table, xrcDomains);
    } catch (QuotaExceeded | Refusal refused) {
      client.log().log(Level.WARNING, "a client is not served: " + refused.getMessage());
      boolean unused = client.connection().discard();
      refuse(shim, first, refused);
      return;
    }
    contexts.incrementAndGet();
    try {
      serve(session, observed, first);
    } finally {
      contexts.decrementAndGet();
      try {
        observed.leave();
      } finally {
        session.close(
            (object, why) ->
                client.log().log(
                    Level.WARNING,
                    "a client ended, and the device keeps its %s"
                        .formatted(object.getClass().getSimpleName()),
                    why));
      }
    }
  }

  /**
   * Addresses at which clients listen with the connection manager, such as "127.0.0.1 port 7174
   * (RDMA_PS_TCP)".
   */
  List<String> listeners() {
    return connectionManager.listeners();
  }

  /** Serves clients that do not open the device file; false for all others. */
  private boolean isAnswered(
      Client client, ShimChannel shim, ObservedClient observed, ShimChannel.Request request)
      throws IOException {
    switch (request.kind()) {
      case COUNTER -> {
        try {
          int port = (int) request.a();
          shim.result(
              port == NO_PORT
                  ? ObjectCounts.read(client.account(), contexts.get(), request.name())
                  : PortFile.read(observed, port, request.name()));
        } catch (Refusal refusal) {
          shim.result(-refusal.errno());
        }
        return true;
      }
      case MANAGER -> {
        connectionManager.serve(client, shim, observed, request);
        return true;
      }
      case MISSING -> {
        observed.attach(request.a());
        MissingService.of(request.b()).ifPresent(missing -> observed.refused(missing.sentence()));
        shim.result(0);
        return true;
      }
      default -> {
        return false;
      }
    }
  }

  @Override
  public Quota quota(LocalSocket connection) {
    return ShimChannel.opensManager(connection) ? Quota.EVENT_CHANNELS : Quota.CONNECTIONS;
  }

  @Override
  public void refuse(LocalSocket connection, QuotaExceeded why) throws IOException {
    ShimChannel shim = new ShimChannel(connection);
    ShimChannel.Request first = shim.next();
    if (first != null) {
      refuse(shim, first, why);
    }
  }

  /** Refuses a connection; its greeting has the token of an observer. */
  private void refuse(ShimChannel shim, ShimChannel.Request first, RuntimeException why)
      throws IOException {
    observers.refused(
        first.b(),
        "a connection of the client to the device process was refused with ENOMEM: "
            + why.getMessage());
    shim.result(-Errno.ENOMEM);
  }

  private static Sharing sharing(long bits) {
    if ((bits & ShimChannel.MAP_MEMORY) != 0) {
      return Sharing.ALWAYS;
    }
    return (bits & ShimChannel.MAP_UNNOTICED) != 0 ? Sharing.UNNOTICED : Sharing.NEVER;
  }

  private static void serve(Session session, ObservedClient observed, ShimChannel.Request first)
      throws IOException {
    ShimChannel shim = session.shim();
    for (ShimChannel.Request request = first; request != null; request = shim.next()) {
      answer(session, observed, request);
    }
  }

  private static void answer(Session session, ObservedClient client, ShimChannel.Request request)
      throws IOException {
    try {
      switch (request.kind()) {
        case HELLO -> {
          ShimChannel.requireVersion(request);
          client.attach(request.b());
          session.sharing().set(sharing(request.c()));
          if ((request.c() & ShimChannel.LOCK_MEMORY) != 0) {
            session.pinned().enforce(session.process());
          }
          session.shim().resultWith(session.pages().memory().fd());
        }
        case IOCTL -> {
          Refusal.require(
              (request.a() & 0xffffffffL) == VERBS_IOCTL,
              Errno.ENOTTY,
              "ioctl 0x%x is not one of uverbs",
              request.a());
          IoctlMethod.execute(session, IoctlCall.read(session.memory(), request.b()));
          session.shim().result(0);
        }
        case WRITE -> session.shim().result(Writes.write(session, request.b(), request.c()));
        case COUNTER, MISSING, MANAGER ->
            throw new Refusal(
                Errno.EINVAL, "this request is valid only as the first message of a connection");
      }
    } catch (Refusal refusal) {
      refuse(session, client, refusal);
    } catch (HcaException refusal) {
      refuse(session, client, Refusal.of(refusal));
    } catch (RuntimeException defect) {
      session
          .client()
          .log()
          .log(Level.ERROR, "a call of a client failed in the device process", defect);
      session.shim().result(-Errno.EIO);
    }
  }

  // Libraries probe the kernel's features by calls, until the context is open, and later for
  // methods, attributes and GID entries. Refused probes are not reported; a context that can't be
  // opened is. EBUSY is reported once per sentence: clients often destroy many objects in the wrong
  // order, or retry.
  private static void refuse(Session session, ObservedClient client, Refusal refusal)
      throws IOException {
    int errno = refusal.errno();
    LOGGER.log(Level.DEBUG, refusal.getMessage());
    boolean isOpen = !session.handles().all(EventFile.class).isEmpty();
    boolean isForGood = errno == Errno.EOPNOTSUPP;
    if ((isOpen || isForGood) && errno != Errno.EPROTONOSUPPORT && errno != Errno.ENODATA) {
      String sentence =
          "%s was refused with %s: %s"
              .formatted(refusal.call(), Errno.name(errno), refusal.getMessage());
      if (errno == Errno.EBUSY) {
        client.refusedOnce(sentence);
      } else {
        client.refused(sentence);
      }
    }
    session.shim().result(-errno);
  }
}
