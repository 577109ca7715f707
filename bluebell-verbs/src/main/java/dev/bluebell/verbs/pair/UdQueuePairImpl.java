package dev.bluebell.verbs.pair;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.wqe.AddressVector;
import dev.bluebell.verbs.AddressHandle;
import dev.bluebell.verbs.DatagramSource;
import dev.bluebell.verbs.GidType;
import dev.bluebell.verbs.MessageOperations;
import dev.bluebell.verbs.NetworkHeader;
import dev.bluebell.verbs.PathOptions;
import dev.bluebell.verbs.QueuePairState;
import dev.bluebell.verbs.UdEndpoint;
import dev.bluebell.verbs.UdQueuePair;
import dev.bluebell.verbs.command.ConnectionCommands;
import dev.bluebell.verbs.command.ConnectionSettings;
import dev.bluebell.verbs.command.DatagramCommands;
import dev.bluebell.verbs.command.LocalAddress;
import dev.bluebell.verbs.command.QueuePairCommands;
import dev.bluebell.verbs.command.Route;
import dev.bluebell.verbs.object.GidTable;
import dev.bluebell.verbs.value.Sizes;

/** Implements {@link UdQueuePair}. */
public final class UdQueuePairImpl extends ReceivingQueuePairImpl implements UdQueuePair {
  private final LocalAddress address;
  private int queueKey;

  /** Makes the queue pair of its parts and moves it to RTS. */
  public UdQueuePairImpl(QueuePairParts parts, LocalAddress address, int queueKey) {
    super(parts);
    this.address = address;
    this.queueKey = queueKey;
    start();
  }

  @Override
  public void start() {
    int qpn = states.number();
    states.move(QueuePairState.INIT, DatagramCommands.resetToInit(qpn, address, queueKey));
    int mtu = mtu();
    states.move(QueuePairState.RTR, QueuePairCommands.initToRtr(qpn, mtu, Sizes.log2Floor(mtu)));
    states.move(
        QueuePairState.RTS, ConnectionCommands.rtrToRts(qpn, ConnectionSettings.randomPsn()));
  }

  private int mtu() {
    return address.mtu(device);
  }

  @Override
  public MessageOperations to(AddressHandle destination) {
    return send.to(((AddressHandleImpl) destination).words());
  }

  @Override
  public synchronized UdEndpoint endpoint() {
    lifetime.requireOpen();
    return new UdEndpoint(
        address.gid(device), address.lid(device), states.number(), queueKey, mtu());
  }

  @Override
  public AddressHandle addressHandle(UdEndpoint destination, PathOptions options) {
    lifetime.requireOpen();
    return addressHandle(address, destination, options);
  }

  private AddressHandleImpl addressHandle(
      LocalAddress from, UdEndpoint destination, PathOptions options) {
    Route route = from.routeTo(device, destination.gid(), destination.lid(), options.globalRoute());
    long key = AddressVector.keyWord(destination.qkey());
    return new AddressHandleImpl(destination, route.words(key, destination.qpn(), options));
  }

  @Override
  public AddressHandle addressHandle(DatagramSource source, NetworkHeader header, int queueKey) {
    lifetime.requireOpen();
    LocalAddress own = address;
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

  /** The GID table entry that a datagram was sent to; for a group, this queue pair's entry. */
  private int gidIndex(NetworkHeader header) {
    LocalAddress own = address;
    GidType type = GidTable.type(device.hca(), own.port(), own.gidIndex());
    if (type != GidType.INFINIBAND) {
      type = header.kind() == NetworkHeader.Kind.GLOBAL_ROUTE ? GidType.ROCE_V1 : GidType.ROCE_V2;
    }
    return GidTable.of(device.hca(), own.port(), header.destination(), type, own.gidIndex());
  }

  @Override
  public synchronized void attach(Gid group) {
    lifetime.requireOpen();
    states.modify(DatagramCommands.attach(states.number(), group));
  }

  @Override
  public synchronized void detach(Gid group) {
    lifetime.requireOpen();
    states.modify(DatagramCommands.detach(states.number(), group));
  }

  @Override
  public synchronized void modifyQueueKey(int key) {
    lifetime.requireOpen();
    states.modify(DatagramCommands.rtsToRts(states.number(), key));
    queueKey = key;
  }
}
