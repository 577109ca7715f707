package dev.bluebell.softnic.transport.reliable;

import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.SendWqe;
import dev.bluebell.softnic.transport.connection.Connection;
import org.jspecify.annotations.Nullable;

/** The fixed peer of a connection: all requests go to it, and do not name it. */
public final class OnePeer implements PeerSelection {
  private final Connection connection;
  private final Peers peers;

  public OnePeer(Connection connection, Peers peers) {
    this.connection = connection;
    this.peers = peers;
  }

  @Override
  public boolean isPerRequest() {
    return false;
  }

  @Override
  public boolean isNamed(long at) {
    return false;
  }

  @Override
  public Aim aim(SendWqe wqe, boolean isIdle, Fault fault) {
    return Aim.SAME;
  }

  @Override
  public @Nullable RcResponder responder() {
    return peers.responder(connection.remoteQpn());
  }

  @Override
  public void reset() {}
}
