package dev.bluebell.server.remote;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaHosting;
import dev.bluebell.server.DeviceServer;
import dev.bluebell.server.LocalSocket;
import dev.bluebell.server.Processes;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Serves Java programs that open the device of a device process, and leaves other kinds of programs
 * at the same socket to another service. Thread-safe.
 */
public final class RemoteService implements DeviceServer.Service {
  private final ProgramShares shares;
  private final DeviceServer.Service others;
  private final Residents residents;

  /**
   * @param hca a device that can host other processes
   * @param others serves programs of other kinds
   * @throws IllegalArgumentException when it can't
   */
  public RemoteService(Hca hca, DeviceServer.Service others) {
    this.others = others;
    shares = new ProgramShares(hca);
    residents = new Residents(shares);
  }

  static HcaHosting hosting(Hca hca) {
    return hca.hosting()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "device %s can't be shared with other processes; use a software device"
                        .formatted(hca.name())));
  }

  @Override
  public void serve(LocalSocket connection) throws IOException {
    LocalSocket.Peer peer = connection.peer();
    if (peer.uid() != Processes.userId()) {
      return;
    }
    int pidfd = Processes.watch(peer.pid());
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment message = arena.allocate(Message.MAX_BYTES, Long.BYTES);
      if (!Message.beginsWith(Message.HELLO, connection, message, pidfd)) {
        others.serve(connection);
        return;
      }
      serve(connection, peer.pid(), message, pidfd);
    } finally {
      Processes.unwatch(pidfd);
    }
  }

  private void serve(LocalSocket connection, int pid, MemorySegment message, int pidfd)
      throws IOException {
    Hca hca = shares.join(pid);
    try {
      RemoteSession session = new RemoteSession(hca, hosting(hca), residents, connection, pid);
      try {
        session.serve(message, pidfd);
      } finally {
        session.close();
      }
    } finally {
      shares.leave(pid);
    }
  }
}
