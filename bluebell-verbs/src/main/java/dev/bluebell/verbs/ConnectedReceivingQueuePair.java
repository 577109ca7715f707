package dev.bluebell.verbs;

/** Adds a connection to one peer, from which the queue pair receives. */
public abstract class ConnectedReceivingQueuePair extends ReceivingQueuePair
    implements ConnectedQueuePair {
  final Connection connection;

  /** Makes the queue pair of its parts; {@link #start} moves it to INIT. */
  ConnectedReceivingQueuePair(QueuePairParts parts, ConnectionSettings settings) {
    super(parts);
    connection = new Connection(parts.states(), parts.device(), settings);
  }

  @Override
  void start() {
    connection.start();
    if (!postsBeforeConnect()) {
      send.hold(Connection.tooEarly(number()));
    }
  }

  /** True when requests may be posted before the queue pair is connected. */
  boolean postsBeforeConnect() {
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
    send.admit();
    endSetUp();
  }

  /**
   * Changes the rights of the peer.
   *
   * @throws IllegalStateException when the queue pair is neither in the INIT nor in the RTS state
   */
  public synchronized void modifyAccess(Access... rights) {
    lifetime.requireOpen();
    connection.modifyAccess(Access.setOf(rights));
  }
}
