package dev.bluebell.verbs;

/**
 * A reliable-connection queue pair.
 *
 * <p>A request is built in stages, from its opcode to {@link RequestEnd#signaled} or {@link
 * RequestEnd#unsignaled}, and the device sees it after {@link #ringDoorbell}. A stage that throws
 * drops its request and leaves the queue as it was.
 *
 * <p>Posting and ringing belong to one thread at a time. Connecting, querying, modifying and
 * closing are thread-safe; {@link #reset} is part of the data path.
 */
public final class RcQueuePair extends ReceivingQueuePair {
  private final Connection connection;

  /** Makes the queue pair of its parts and moves it to INIT. */
  RcQueuePair(QueuePairParts parts, ConnectionSettings settings) {
    super(parts);
    connection = new Connection(parts.states(), parts.device(), settings);
    start();
  }

  @Override
  void start() {
    connection.start();
  }

  /** Starts a SEND: the data goes to the memory of the peer's next receive request. */
  public RequestData send() {
    return send.send();
  }

  /**
   * Starts a SEND with 4 bytes for the peer's completion.
   *
   * @param immediate given to the peer as {@link Completion#immediate}
   */
  public RequestData sendImmediate(int immediate) {
    return send.sendImmediate(immediate);
  }

  /**
   * Starts a SEND that invalidates a key of the peer.
   *
   * @param rkey the key of a region with {@link Access#REMOTE_INVALIDATE}
   */
  public RequestData sendInvalidate(int rkey) {
    return send.sendInvalidate(rkey);
  }

  /**
   * Starts an RDMA WRITE: the data goes to the peer's memory.
   *
   * @param remoteAddress where to, as the peer registered it
   * @param rkey key of the peer's region, with {@link Access#REMOTE_WRITE}
   */
  public RequestData write(long remoteAddress, int rkey) {
    return send.write(remoteAddress, rkey);
  }

  /**
   * Starts an RDMA WRITE that also consumes a receive request of the peer, so that the peer gets a
   * completion.
   *
   * @param remoteAddress where to, as the peer registered it
   * @param rkey key of the peer's region, with {@link Access#REMOTE_WRITE}
   * @param immediate given to the peer as {@link Completion#immediate}
   */
  public RequestData writeImmediate(long remoteAddress, int rkey, int immediate) {
    return send.writeImmediate(remoteAddress, rkey, immediate);
  }

  /**
   * Starts an RDMA READ: the peer's memory comes to the scatter entries; their total is the length.
   *
   * @param remoteAddress where from, as the peer registered it
   * @param rkey key of the peer's region, with {@link Access#REMOTE_READ}
   */
  public RequestScatter read(long remoteAddress, int rkey) {
    return send.read(remoteAddress, rkey);
  }

  /**
   * Starts an atomic compare-and-swap of 8 bytes in the peer's byte order: they become {@code swap}
   * if they equal {@code compare}.
   *
   * @param remoteAddress a multiple of 8, as the peer registered it
   * @param rkey key of the peer's region, with {@link Access#REMOTE_ATOMIC}
   */
  public AtomicScatter compareAndSwap(long remoteAddress, int rkey, long compare, long swap) {
    return send.compareAndSwap(remoteAddress, rkey, compare, swap);
  }

  /**
   * Starts an atomic addition to 8 bytes in the peer's byte order, modulo 2^64.
   *
   * @param remoteAddress a multiple of 8, as the peer registered it
   * @param rkey key of the peer's region, with {@link Access#REMOTE_ATOMIC}
   */
  public AtomicScatter fetchAndAdd(long remoteAddress, int rkey, long add) {
    return send.fetchAndAdd(remoteAddress, rkey, add);
  }

  /** Returns the address that the peer connects to. It changes with each reset. */
  public synchronized QueuePairEndpoint endpoint() {
    lifetime.requireOpen();
    return connection.endpoint();
  }

  /** Connects to a peer, which must connect to this queue pair's {@link #endpoint} likewise. */
  public void connect(QueuePairEndpoint remote) {
    connect(remote, ConnectOptions.DEFAULT);
  }

  /**
   * Connects to a peer and makes the queue pair ready to send. The peer must connect to this queue
   * pair's {@link #endpoint} before its first request arrives there.
   *
   * @throws IllegalStateException when the queue pair is not in the INIT state
   * @throws dev.bluebell.hca.HcaException when the device refuses; reset the queue pair to try
   *     again
   */
  public synchronized void connect(QueuePairEndpoint remote, ConnectOptions options) {
    lifetime.requireOpen();
    connection.connect(remote, options);
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

  /**
   * Changes how long the peer waits when no receive is posted here.
   *
   * @param code as {@link ConnectOptions#minRnrTimer}
   * @throws IllegalStateException when the queue pair is not connected
   */
  public synchronized void modifyMinRnrTimer(int code) {
    lifetime.requireOpen();
    connection.modifyMinRnrTimer(code);
  }
}
