package dev.bluebell.verbs;

/**
 * The sending end of an extended reliable connection (XRC initiator): it is connected to an {@link
 * XrcTarget}, and each request names the {@link XrcSharedReceiveQueue} there that it goes to. So
 * one connection serves all receivers of a domain. It receives nothing. Mirrors {@code verbs.h:
 * IBV_QPT_XRC_SEND}.
 *
 * <p>WRITEs, READs and atomics name a queue, too: the remote keys are those of its protection
 * domain.
 *
 * <p>Posting and threads are as with {@link RcQueuePair}.
 */
public final class XrcInitiator extends OrderedQueuePair implements ConnectedQueuePair {
  private final Connection connection;

  /** Makes the queue pair of its parts and moves it to INIT. */
  XrcInitiator(QueuePairParts parts, ConnectionSettings settings) {
    super(parts);
    connection = new Connection(parts.states(), parts.device(), settings);
    start();
  }

  @Override
  void start() {
    connection.start();
    send.hold(Connection.tooEarly(number()));
  }

  /**
   * Names the shared receive queue of the next request, which then starts.
   *
   * @param number its number, 24 bits, which the peer has told: {@link
   *     XrcSharedReceiveQueue#number}
   */
  @CheckReturnValue
  public ReliableOperations toSharedReceives(int number) {
    return send.toSharedReceives(Ranges.require("number", number, 0, 0xffffff));
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
  }
}
