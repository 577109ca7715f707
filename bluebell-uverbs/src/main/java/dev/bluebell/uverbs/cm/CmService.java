package dev.bluebell.uverbs.cm;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.server.Account;
import dev.bluebell.server.Client;
import dev.bluebell.server.Quota;
import dev.bluebell.server.ReadySignal;
import dev.bluebell.server.remote.ObservedClient;
import dev.bluebell.uverbs.call.ClientMemory;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.call.ShimChannel;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.List;

/** The service for clients that open a file of the connection manager. Thread-safe. */
public final class CmService {
  /** Descriptors of a {@link ReadySignal}. */
  private static final int DESCRIPTORS = 2;

  private final ConnectionManager manager;
  private final CmFiles files = new CmFiles();

  /** Serves clients of a device, and takes over the datagrams of its queue pair 1. */
  public CmService(Hca hca) {
    manager = ConnectionManager.of(hca);
  }

  /** The addresses at which ids of all clients listen, sorted. */
  public List<String> listeners() {
    synchronized (manager) {
      return manager.ports().listeners();
    }
  }

  /**
   * Serves a client until it closes the file.
   *
   * @param first its greeting
   */
  public void serve(
      Client client, ShimChannel shim, ObservedClient observed, ShimChannel.Request first)
      throws IOException {
    try {
      ShimChannel.requireVersion(first);
      observed.attach(first.b());
      serve(client, shim, observed);
    } catch (Refusal refusal) {
      shim.result(refuse(observed, refusal));
    } catch (HcaException refusal) {
      shim.result(refuse(observed, Refusal.of(refusal)));
    }
  }

  private void serve(Client client, ShimChannel shim, ObservedClient observed) throws IOException {
    CmPort port = CmPort.of(observed);
    Account.Hold descriptors = client.account().take(Quota.DESCRIPTORS, DESCRIPTORS);
    try (ReadySignal ready = signal()) {
      Object owner = client.process().identity();
      CmFile.Signal signal =
          pending -> {
            if (pending) {
              ready.raise();
            } else {
              ready.clear();
            }
          };
      CmFile file = new CmFile(manager, port, owner, client.account(), signal, observed::refused);
      Object key = ready.key();
      files.add(key, file);
      try {
        shim.resultWith(ready.readerFd());
        serve(
            new CmSession(file, files, client.process(), new ClientMemory(client.process())),
            client,
            shim,
            observed);
      } finally {
        files.remove(key);
        file.close();
      }
    } finally {
      descriptors.close();
    }
  }

  private static ReadySignal signal() {
    try {
      return new ReadySignal();
    } catch (IOException refused) {
      throw Refusal.byKernel("descriptor for events of the connection manager", refused);
    }
  }

  private static void serve(
      CmSession session, Client client, ShimChannel shim, ObservedClient observed)
      throws IOException {
    for (ShimChannel.Request request = shim.next(); request != null; request = shim.next()) {
      long result;
      try {
        result = answer(session, request);
      } catch (Refusal refusal) {
        result = refuse(observed, refusal);
      } catch (HcaException refusal) {
        result = refuse(observed, Refusal.of(refusal));
      } catch (RuntimeException defect) {
        client.log().log(Level.ERROR, "a command of a client failed in the device process", defect);
        result = -Errno.EIO;
      }
      shim.result(result);
    }
  }

  private static long answer(CmSession session, ShimChannel.Request request) {
    return switch (request.kind()) {
      case WRITE -> CmCommand.write(session, request.b(), request.c());
      case IOCTL -> throw new Refusal(Errno.ENOTTY, "the connection manager has no ioctl");
      case HELLO, COUNTER, MISSING, MANAGER ->
          throw new Refusal(
              Errno.EINVAL, "this request is valid only as the first message of a connection");
    };
  }

  // EAGAIN of GET_EVENT is not reported: the preload library waits and retries.
  private static long refuse(ObservedClient observed, Refusal refusal) {
    if (refusal.errno() != Errno.EAGAIN) {
      observed.refused(
          "a command of the connection manager was refused with %s: %s"
              .formatted(Errno.name(refusal.errno()), refusal.getMessage()));
    }
    return -refusal.errno();
  }
}
