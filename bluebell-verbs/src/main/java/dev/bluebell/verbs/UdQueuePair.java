package dev.bluebell.verbs;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.wqe.AddressVector;

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
    return settings.address().mtu(device);
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
        settings.address().gid(device),
        settings.address().lid(device),
        states.number(),
        queueKey,
        mtu());
  }

  /** Makes a destination ready, as {@link #addressHandle(UdEndpoint, PathOptions)}. */
  public AddressHandle addressHandle(UdEndpoint destination) {
    return addressHandle(destination, PathOptions.DEFAULT);
  }

  /**
   * Makes a destination ready for {@link #to}. Datagrams come from this queue pair's GID and LID.
   * When bit 31 of the destination's queue key is set, they carry the key of the queue pair that
   * sends them instead, as the InfiniBand specification has it for keys that only the system hands
   * out.
   *
   * @throws IllegalArgumentException when the destination is of another link layer
   * @throws dev.bluebell.hca.HcaException when the device can't resolve the way
   */
  public AddressHandle addressHandle(UdEndpoint destination, PathOptions options) {
    lifetime.requireOpen();
    return addressHandle(settings.address(), destination, options);
  }

  private AddressHandle addressHandle(
      LocalAddress from, UdEndpoint destination, PathOptions options) {
    Route route = from.routeTo(device, destination.gid(), destination.lid(), options.globalRoute());
    long key = AddressVector.keyWord(destination.qkey());
    return new AddressHandle(destination, route.words(key, destination.qpn(), options));
  }

  /**
   * Makes the sender of a datagram ready as a destination: answers go the way back, with the same
   * service level, and from the address that the datagram went to. Mirrors {@code verbs.c:
   * ibv_create_ah_from_wc} of rdma-core.
   *
   * @param source of the datagram, from its completion
   * @param header of the datagram, at the place and of the kind that the completion says
   * @param queueKey of the sender, which no datagram carries
   * @throws IllegalStateException when the datagram has a header and the view shows none
   * @throws dev.bluebell.hca.HcaException when the device can't resolve the way
   */
  public AddressHandle addressHandle(DatagramSource source, NetworkHeader header, int queueKey) {
    lifetime.requireOpen();
    LocalAddress own = settings.address();
    boolean global = source.hasHeader();
    int gidIndex = global ? gidIndex(header) : own.gidIndex();
    UdEndpoint sender =
        new UdEndpoint(
            global ? header.source() : Gid.ZERO,
            source.localIdentifier(),
            source.queuePairNumber(),
            queueKey,
            mtu());
    return addressHandle(
        new LocalAddress(own.port(), gidIndex, own.pkeyIndex(), source.pathBits()),
        sender,
        new PathOptions(
            global ? header.trafficClass() : 0,
            source.serviceLevel(),
            global ? header.flowLabel() : 0,
            global));
  }

  /** The entry of the GID table that a datagram went to; this queue pair's, if to a group. */
  private int gidIndex(NetworkHeader header) {
    LocalAddress own = settings.address();
    GidType type = GidTable.type(device.hca(), own.port(), own.gidIndex());
    if (type != GidType.INFINIBAND) {
      type = header.kind() == NetworkHeader.Kind.GLOBAL_ROUTE ? GidType.ROCE_V1 : GidType.ROCE_V2;
    }
    return GidTable.of(device.hca(), own.port(), header.destination(), type, own.gidIndex());
  }

  /**
   * Lets the queue pair receive what is sent to a group, until {@link #detach} or its end.
   * Attaching again changes nothing. On InfiniBand, the subnet manager must know, too, that the
   * port is a member of the group.
   *
   * @param group its GID, ff00::/8, or on Ethernet that of an IPv4 group, 224.0.0.0/4
   * @throws dev.bluebell.hca.HcaException when the device refuses: the GID is not that of a group,
   *     or there are too many
   */
  public synchronized void attach(Gid group) {
    lifetime.requireOpen();
    states.modify(DatagramCommands.attach(states.number(), group));
  }

  /**
   * Ends what {@link #attach} began.
   *
   * @throws dev.bluebell.hca.HcaException when the queue pair is not attached to the group
   */
  public synchronized void detach(Gid group) {
    lifetime.requireOpen();
    states.modify(DatagramCommands.detach(states.number(), group));
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
