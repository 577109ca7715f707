package dev.bluebell.server.remote;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaHosting;
import dev.bluebell.server.WatchedProcess;
import java.util.HashMap;
import java.util.Map;

/**
 * One share of the device for each client process, however many connections it has. Thread-safe.
 */
public final class ClientShares {
  private final HcaHosting hosting;
  private final Map<Object, Share> shares = new HashMap<>();

  private static final class Share {
    private final Hca hca;
    private int connections;

    Share(Hca hca) {
      this.hca = hca;
    }
  }

  /**
   * @param hca a device that can host other processes
   * @throws IllegalArgumentException when it can't
   */
  public ClientShares(Hca hca) {
    hosting = RemoteService.hosting(hca);
  }

  /**
   * The device for one more connection of a process, until {@link #leave}.
   *
   * @param process its identity, see {@link WatchedProcess#identity}
   */
  public synchronized Hca join(Object process) {
    Share share = shares.computeIfAbsent(process, opened -> new Share(hosting.openClient()));
    share.connections++;
    return share.hca;
  }

  /** Ends one connection that {@link #join joined}, after its objects are freed. */
  public synchronized void leave(Object process) {
    Share share = shares.get(process);
    if (share != null && --share.connections == 0) {
      shares.remove(process);
      share.hca.close();
    }
  }

  /** Processes that have a share. */
  synchronized int count() {
    return shares.size();
  }
}
