package dev.bluebell.verbs;

import dev.bluebell.hca.HcaPath;
import dev.bluebell.hca.wqe.AddressVector;
import dev.bluebell.verbs.ring.AddressWords;

/**
 * An unreliable-datagram queue pair: each request names where it goes, and any queue pair that
 * knows its address and queue key may send to it. It needs no connection and is ready from the
 * start.
 *
 * <p>A datagram has at most as many bytes as the MTU of the port. A request completes when it is
 * sent: what becomes of it is not told. Datagrams that find no receive request, or have another
 * queue key, are dropped. A receive request needs room for {@link #HEADER_BYTES} bytes in front of
 * the message; {@link Completion#source} says what is there and who sent it. One that is too short
 * fails, and the queue pair with it.
 *
 * <p>A request that fails here stops the send queue only: all that follow are flushed until {@link
 * #restartSendQueue}, and receiving goes on.
 *
 * <p>Posting and threads are as with {@link RcQueuePair}.
 */
public final class UdQueuePair extends ReceivingQueuePair {
  /** Bytes in front of each message in the memory of its receive request. */
  public static final int HEADER_BYTES = NetworkHeader.BYTES;

  private final StateMachine states;
  private final Device device;
  private final DatagramSettings settings;
  private int queueKey;

  /** Makes the queue pair of its parts and moves it to RTS. */
  UdQueuePair(QueuePairParts parts, DatagramSettings settings) {
    super(parts);
    states = parts.states();
    device = parts.device();
    this.settings = settings;
    queueKey = settings.queueKey();
    start();
  }

  @Override
  void start() {
    int qpn = states.number();
    states.move(QueuePairState.INIT, DatagramCommands.resetToInit(qpn, settings, queueKey));
    int mtu = mtu();
    states.move(QueuePairState.RTR, QueuePairCommands.initToRtr(qpn, mtu, Sizes.log2Floor(mtu)));
    states.move(
        QueuePairState.RTS, ConnectionCommands.rtrToRts(qpn, ConnectionSettings.randomPsn()));
  }

  private int mtu() {
    return device.port(settings.port()).activeMtu();
  }

  /** Names the destination of the next request, which then starts. */
  @CheckReturnValue
  public MessageOperations to(AddressHandle destination) {
    return send.to(destination.words());
  }

  /** Returns the address that others send to. It stays the same when the queue pair is reset. */
  public synchronized UdEndpoint endpoint() {
    lifetime.requireOpen();
    return new UdEndpoint(
        device.gid(settings.port(), settings.gidIndex()), states.number(), queueKey, mtu());
  }

  /** Makes a destination ready, as {@link #addressHandle(UdEndpoint, PathOptions)}. */
  public AddressHandle addressHandle(UdEndpoint destination) {
    return addressHandle(destination, PathOptions.DEFAULT);
  }

  /**
   * Makes a destination ready for {@link #to}. Datagrams come from this queue pair's GID. When bit
   * 31 of the destination's queue key is set, they carry the key of the queue pair that sends them
   * instead, as the InfiniBand specification has it for keys that only the system hands out.
   *
   * @throws dev.bluebell.hca.HcaException when the device can't resolve the way
   */
  public AddressHandle addressHandle(UdEndpoint destination, PathOptions options) {
    lifetime.requireOpen();
    HcaPath path = device.hca().resolve(settings.port(), settings.gidIndex(), destination.gid());
    return new AddressHandle(
        destination,
        AddressWords.roce(
            AddressVector.keyWord(destination.qkey()),
            destination.qpn(),
            destination.gid(),
            path,
            settings.gidIndex(),
            options));
  }

  /**
   * Changes the queue key, and with it the endpoint.
   *
   * @throws dev.bluebell.hca.HcaException when the queue pair is in another state than RTS
   */
  public synchronized void modifyQueueKey(int key) {
    lifetime.requireOpen();
    states.modify(DatagramCommands.rtsToRts(states.number(), key));
    queueKey = key;
  }

  /**
   * Lets the send queue work again after a request failed. Poll the completions of all requests
   * that were posted before: they are flushed.
   *
   * @throws dev.bluebell.hca.HcaException when the send queue did not fail
   */
  public synchronized void restartSendQueue() {
    lifetime.requireOpen();
    states.restartSendQueue();
  }
}
