package dev.bluebell.verbs.pair;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.ConnectedReceivingQueuePair;
import dev.bluebell.verbs.QueuePairEndpoint;
import dev.bluebell.verbs.command.ConnectionSettings;
import dev.bluebell.verbs.object.AccessSets;

/** Implements {@link ConnectedReceivingQueuePair}. */
public abstract class ConnectedReceivingQueuePairImpl extends ReceivingQueuePairImpl
    implements ConnectedReceivingQueuePair {
  protected final Connection connection;

  /** Creates the queue pair from its parts; {@link #start} moves it to INIT. */
  public ConnectedReceivingQueuePairImpl(QueuePairParts parts, ConnectionSettings settings) {
    super(parts);
    connection = new Connection(parts.states(), parts.device(), settings);
  }

  @Override
  public void start() {
    connection.start();
    if (!postsBeforeConnect()) {
      send.hold(Connection.tooEarly(number()));
    }
  }

  /** True when requests may be posted before the queue pair is connected. */
  public boolean postsBeforeConnect() {
    return false;
  }

  @Override
  public synchronized QueuePairEndpoint endpoint() {
    lifetime.requireOpen();
    return connection.endpoint();
  }

  @Override
  public synchronized void connect(QueuePairEndpoint remote, ConnectOptions options) {
    lifetime.requireOpen();
    connection.connect(remote, options);
    admit();
  }

  @Override
  public synchronized void connect(
      QueuePairEndpoint remote, ConnectOptions options, int gidIndex, int psn) {
    lifetime.requireOpen();
    connection.connect(remote, options, gidIndex, psn);
    admit();
  }

  @Override
  public synchronized void modifyAccess(Access... rights) {
    lifetime.requireOpen();
    connection.modifyAccess(AccessSets.of(rights));
  }
}
