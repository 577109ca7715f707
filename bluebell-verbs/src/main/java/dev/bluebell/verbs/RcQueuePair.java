package dev.bluebell.verbs;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.HcaPath;
import dev.bluebell.verbs.ring.ReceiveRing;
import dev.bluebell.verbs.ring.ReceiveRingLayout;
import dev.bluebell.verbs.ring.SendRing;
import dev.bluebell.verbs.ring.SendRingLayout;
import dev.bluebell.verbs.ring.WorkQueues;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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
public final class RcQueuePair implements AutoCloseable {
  private final ProtectionDomain domain;
  private final CompletionQueue sendCompletions;
  private final CompletionQueue receiveCompletions;
  private final QueuePairSettings settings;
  private final HcaObject object;

  /** Keeps the ring's memory reachable, as the ring knows its address only. */
  @SuppressWarnings("UnusedVariable")
  private final MemorySegment memory;

  private final SendRing send;
  private final @Nullable ReceiveRing receive;
  private final Lifetime lifetime;
  private final Teardown teardown;
  private final int responderResources;
  private Set<Access> access;
  private QueuePairState state = QueuePairState.RESET;
  private int psn;

  private RcQueuePair(RcQueuePairBuilder plan, Teardown teardown) {
    this.teardown = teardown;
    domain = plan.domain();
    sendCompletions = plan.sendCompletions();
    receiveCompletions = plan.receiveCompletions();
    settings = plan.settings();
    access = settings.access();
    psn = settings.nextPsn();
    Device device = domain.device();
    Hca hca = device.hca();
    QueuePairShape shape = plan.shape(device.attributes());
    responderResources =
        Math.min(settings.responderResources(), device.attributes().maxResponderResources());

    QueueMemory queues = QueueMemory.allocate(hca, shape.bytes(), teardown);
    memory = queues.segment();
    DoorbellRecordPool.Record record = device.records().take();
    teardown.add(() -> device.records().give(record));
    RegisterPool.Register register = device.registers().takeSend();
    teardown.add(() -> device.registers().giveSend(register));
    int userIndex = device.queues().reserve();
    teardown.add(
        () ->
            device.queues().release(userIndex, sendCompletions.ring(), receiveCompletions.ring()));
    object =
        hca.create(
            QueuePairCommands.create(
                domain.number(),
                shape,
                queues,
                record,
                register.page(),
                userIndex,
                sendCompletions.number(),
                receiveCompletions.number()));
    int qpn = object.number();
    lifetime = new Lifetime("QP 0x%06x".formatted(qpn));
    receive = shape.hasReceiveQueue() ? receiveRing(queues, shape, qpn, record) : null;
    send =
        new SendRing(
            SendRingLayout.of(
                    queues.address() + shape.receiveBytes(),
                    shape.logSendWqebbs(),
                    qpn,
                    record.address(),
                    register.address(),
                    shape.maxWqeBytes())
                .withNopFill(settings.nopFill())
                .withBlueFlame(settings.blueFlame() && device.attributes().blueFlame()));
    teardown.add(this::closeRings);
    teardown.add(object::close);
    device.queues().set(userIndex, new WorkQueues(qpn, send, receive));
    for (int type : AsyncEvent.queuePairTypes()) {
      device.events().subscribe(object, type, 0);
    }
    toInit();
  }

  private static ReceiveRing receiveRing(
      QueueMemory queues, QueuePairShape shape, int qpn, DoorbellRecordPool.Record record) {
    return new ReceiveRing(
        new ReceiveRingLayout(
            queues.address(),
            shape.logReceives(),
            shape.logReceiveStride(),
            qpn,
            record.address(),
            0));
  }

  static RcQueuePair create(RcQueuePairBuilder plan) {
    plan.domain().lifetime().requireOpen();
    requireSameDevice(plan.domain(), plan.sendCompletions());
    requireSameDevice(plan.domain(), plan.receiveCompletions());
    Teardown teardown = new Teardown();
    RcQueuePair queuePair;
    try {
      queuePair = new RcQueuePair(plan, teardown);
    } catch (RuntimeException e) {
      throw teardown.runAfter(e);
    }
    plan.domain().device().add(queuePair);
    try {
      queuePair.used().forEach(lifetime -> lifetime.addUser(queuePair));
    } catch (RuntimeException e) {
      queuePair.close();
      throw e;
    }
    return queuePair;
  }

  private List<Lifetime> used() {
    return List.of(domain.lifetime(), sendCompletions.lifetime(), receiveCompletions.lifetime());
  }

  private static void requireSameDevice(ProtectionDomain domain, CompletionQueue completions) {
    completions.lifetime().requireOpen();
    if (completions.device() != domain.device()) {
      throw new IllegalArgumentException(
          "%s belongs to %s and %s to %s: use one device for both"
              .formatted(completions, completions.device(), domain, domain.device()));
    }
  }

  private void closeRings() {
    send.close();
    if (receive != null) {
      receive.close();
    }
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
   * Starts an RDMA WRITE that also consumes a receive request of the peer, whose completion tells
   * of it.
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

  /** Starts a request that does nothing but complete. */
  public RequestModifiers nop() {
    return send.nop();
  }

  /**
   * Makes the device see all send requests that ended since the last ring.
   *
   * @throws IllegalStateException when a request is half built
   */
  public void ringDoorbell() {
    send.ringDoorbell();
  }

  /**
   * Starts a receive request: memory for one message of the peer.
   *
   * @throws IllegalStateException when the queue is full, another request is half built, or the
   *     queue pair has no receive queue
   */
  public ReceiveRequest receive() {
    return receiveRing().receive();
  }

  /**
   * Makes the device see all receive requests that were posted.
   *
   * @throws IllegalStateException when a request is half built
   */
  public void ringReceiveDoorbell() {
    receiveRing().ringDoorbell();
  }

  private ReceiveRing receiveRing() {
    ReceiveRing ring = receive;
    if (ring == null) {
      throw new IllegalStateException(
          lifetime.name() + " has no receive queue: create it with receiveQueue(n)");
    }
    return ring;
  }

  /**
   * Drops the send or receive request that is half built, if there is one: after a failure between
   * two stages.
   *
   * @return whether there was one
   */
  public boolean dropUnfinished() {
    boolean dropped = send.dropUnfinished();
    if (receive != null) {
      dropped |= receive.dropUnfinished();
    }
    return dropped;
  }

  /**
   * WQEBBs of the send queue that are free. A request takes one for each 64 bytes that it has
   * begun: 16 and another 16 for each of remote address, gather entry and atomic operands; inline
   * data takes its length and 4 bytes, rounded up to 16. Space is freed when a later signalled
   * request, or the request itself, has been polled from the completion queue.
   */
  public int freeWqebbs() {
    return send.freeWqebbs();
  }

  /** WQEBBs of the send queue, 64 bytes each. */
  public int sendQueueWqebbs() {
    return send.wqebbs();
  }

  /** Largest send request in bytes. */
  public int maxSendWqeBytes() {
    return send.maxWqeBytes();
  }

  /** Receive requests that can be posted now; 0 without a receive queue. */
  public int freeReceives() {
    return receive == null ? 0 : receive.freeRequests();
  }

  /** Size of the receive queue in requests; 0 without one. */
  public int receiveQueueRequests() {
    return receive == null ? 0 : receive.requests();
  }

  /** Number of the queue pair, 24 bits. */
  public int number() {
    return object.number();
  }

  /** What the peer must know to connect to this queue pair; another one after each reset. */
  public synchronized QueuePairEndpoint endpoint() {
    lifetime.requireOpen();
    Device device = domain.device();
    return new QueuePairEndpoint(
        device.gid(settings.port(), settings.gidIndex()),
        number(),
        psn,
        device.port(settings.port()).activeMtu(),
        responderResources);
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
    if (state != QueuePairState.INIT) {
      throw wrongState("it connects in INIT only: reset it before connecting again");
    }
    Device device = domain.device();
    HcaPath path = device.hca().resolve(settings.port(), settings.gidIndex(), remote.gid());
    int largestMtu = Math.min(device.port(settings.port()).activeMtu(), remote.mtu());
    int mtu = options.pathMtu() == 0 ? largestMtu : options.pathMtu();
    object.modify(
        QueuePairCommands.initToRtr(
            number(),
            settings.port(),
            settings.pkeyIndex(),
            settings.gidIndex(),
            access,
            responderResources,
            remote,
            path,
            mtu,
            options));
    state = QueuePairState.RTR;
    int reads = Math.min(options.maxReads(), device.attributes().maxReads());
    reads = Math.max(1, Math.min(reads, remote.responderResources()));
    object.modify(QueuePairCommands.rtrToRts(number(), psn, reads, options));
    state = QueuePairState.RTS;
  }

  /** Moves the queue pair to the error state: all requests are flushed, also those posted later. */
  public synchronized void toError() {
    lifetime.requireOpen();
    object.modify(QueuePairCommands.toError(number()));
    state = QueuePairState.ERROR;
  }

  /**
   * Empties the queue pair and takes it back to the INIT state, ready to connect again with a new
   * {@link #endpoint}. Requests that have not been polled by now never complete.
   *
   * <p>Call it on the thread that posts, while no other thread polls the completion queues.
   */
  public synchronized void reset() {
    lifetime.requireOpen();
    object.modify(QueuePairCommands.toReset(number()));
    state = QueuePairState.RESET;
    sendCompletions.ring().discard(number());
    receiveCompletions.ring().discard(number());
    send.reset();
    if (receive != null) {
      receive.reset();
    }
    psn = settings.nextPsn();
    toInit();
  }

  private void toInit() {
    object.modify(
        QueuePairCommands.resetToInit(number(), settings.port(), settings.pkeyIndex(), access));
    state = QueuePairState.INIT;
  }

  /**
   * Changes what the peer may do through the queue pair.
   *
   * @throws IllegalStateException when the queue pair is neither in the INIT nor in the RTS state
   */
  public synchronized void modifyAccess(Access... rights) {
    lifetime.requireOpen();
    Set<Access> wanted = Access.setOf(rights);
    object.modify(
        switch (state) {
          case INIT -> QueuePairCommands.initToInit(number(), wanted);
          case RTS -> QueuePairCommands.rtsToRts(number(), wanted);
          default -> throw wrongState("its access changes in INIT and RTS only");
        });
    access = wanted;
  }

  /**
   * Changes how long the peer waits when no receive is posted here.
   *
   * @param code as {@link ConnectOptions#minRnrTimer}
   * @throws IllegalStateException when the queue pair is not connected
   */
  public synchronized void modifyMinRnrTimer(int code) {
    lifetime.requireOpen();
    Ranges.require("minRnrTimer", code, 0, 31);
    if (state != QueuePairState.RTS) {
      throw wrongState("its RNR timer changes in RTS only");
    }
    object.modify(QueuePairCommands.rtsToRtsWithTimer(number(), code));
  }

  private IllegalStateException wrongState(String rule) {
    return new IllegalStateException(
        "%s is in state %s, and %s".formatted(lifetime.name(), state, rule));
  }

  /** Asks the device for the queue pair's state and attributes. */
  public QueuePairAttributes query() {
    lifetime.requireOpen();
    return QueuePairCommands.attributes(object.query(QueuePairCommands.query(number())));
  }

  /**
   * Destroys the queue pair. Requests that have not been polled by now never complete. Idempotent.
   */
  @Override
  public synchronized void close() {
    if (lifetime.close(teardown)) {
      used().forEach(lifetimeOfUsed -> lifetimeOfUsed.removeUser(this));
      domain.device().remove(this);
    }
  }

  @Override
  public String toString() {
    return lifetime.name();
  }
}
