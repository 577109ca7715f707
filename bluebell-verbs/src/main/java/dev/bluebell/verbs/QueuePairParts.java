package dev.bluebell.verbs;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.verbs.ring.Owned;
import dev.bluebell.verbs.ring.ReceiveRing;
import dev.bluebell.verbs.ring.ReceiveRingLayout;
import dev.bluebell.verbs.ring.Receives;
import dev.bluebell.verbs.ring.SendRing;
import dev.bluebell.verbs.ring.SendRingLayout;
import dev.bluebell.verbs.ring.SendSignatures;
import dev.bluebell.verbs.ring.StreamRing;
import dev.bluebell.verbs.ring.WorkQueues;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The parts that a queue pair of any service is made of: the resources, the object on the device
 * with its state, and the rings. All of them begin together and end together.
 */
final class QueuePairParts {
  private final QueuePairPlan plan;

  /** Keeps the memory of the rings reachable, as the rings know its address only. */
  private final QueueResources resources;

  private final int userIndex;
  private final SendRing send;
  private final @Nullable StreamRing streams;
  private final @Nullable SendSignatures signatures;
  private final @Nullable ReceiveRing receive;
  private final StateMachine states;
  private final Lifetime lifetime;
  private final Teardown teardown;
  private final WorkQueues queues;

  /** Requests that were left when the queue pair was destroyed. */
  private PendingRequests left = PendingRequests.NONE;

  private QueuePairParts(QueuePairPlan plan, Teardown teardown) {
    this.plan = plan;
    this.teardown = teardown;
    Device device = plan.device();
    resources = QueueResources.ofQueuePair(device, plan.shape().bytes(), usesBlueFlame(), teardown);
    userIndex = device.queues().reserve();
    teardown.add(this::releaseUserIndex);
    HcaObject object = device.hca().create(QueuePairCommands.create(plan, resources, userIndex));
    int qpn = object.number();
    lifetime = new Lifetime("QP 0x%x".formatted(qpn));
    states = new StateMachine(object, device.name(), lifetime.name());
    receive = plan.shape().hasReceiveQueue() ? receiveRing(qpn) : null;
    send = sendRing(qpn);
    streams = plan.streams().areThere() ? new StreamRing(send) : null;
    signatures = plan.signatures() ? new SendSignatures(send) : null;
    teardown.add(this::closeRings);
    teardown.add(object::close);
    queues = workQueues(qpn);
    device.queues().set(userIndex, queues);
    for (int type : AsyncEvent.queuePairTypes()) {
      device.events().subscribe(object, type, 0);
    }
  }

  /**
   * Creates a queue pair.
   *
   * @param kind makes it of its parts; may move it to another state
   */
  static <Q extends QueuePair> Q assemble(QueuePairPlan plan, Function<QueuePairParts, Q> kind) {
    Teardown teardown = new Teardown();
    Q queuePair;
    QueuePairParts parts;
    try {
      parts = new QueuePairParts(plan, teardown);
      queuePair = kind.apply(parts);
      parts.queues.belongTo(queuePair);
    } catch (RuntimeException e) {
      throw teardown.runAfter(e);
    }
    plan.device().add(queuePair);
    try {
      parts.used().forEach(used -> used.addUser(queuePair));
      plan.sendCompletions().admit(queuePair);
      plan.receiveCompletions().admit(queuePair);
    } catch (RuntimeException e) {
      queuePair.close();
      throw e;
    }
    return queuePair;
  }

  private WorkQueues workQueues(int qpn) {
    return streams == null
        ? new WorkQueues(qpn, send, receives())
        : WorkQueues.ofStreams(qpn, streams);
  }

  private @Nullable Receives receives() {
    SharedReceives shared = plan.sharedReceives();
    return shared == null ? receive : shared.byQueuePair();
  }

  private ReceiveRing receiveRing(int qpn) {
    QueuePairShape shape = plan.shape();
    return new ReceiveRing(
        new ReceiveRingLayout(
            resources.memory().address(),
            shape.logReceives(),
            shape.logReceiveStride(),
            qpn,
            resources.record().address(),
            0,
            plan.signatures(),
            plan.channel().managedReceives()));
  }

  private SendRing sendRing(int qpn) {
    QueuePairShape shape = plan.shape();
    return new SendRing(
        SendRingLayout.of(
                resources.memory().address() + shape.receiveBytes(),
                shape.logSendWqebbs(),
                qpn,
                resources.record().address(),
                resources.register().address(),
                shape.maxWqeBytes())
            .withNopFill(plan.nopFill())
            .withManaged(plan.channel().managedSends())
            .withBlueFlame(usesBlueFlame()));
  }

  private boolean usesBlueFlame() {
    return plan.blueFlame() && plan.device().attributes().blueFlame();
  }

  /** The objects that must outlive the queue pair. */
  private List<Lifetime> used() {
    List<Lifetime> used = new ArrayList<>();
    used.add(plan.domain().lifetime());
    used.add(plan.sendCompletions().lifetime());
    used.add(plan.receiveCompletions().lifetime());
    SharedReceives shared = plan.sharedReceives();
    if (shared != null) {
      used.add(shared.lifetime());
    }
    return used;
  }

  private void releaseUserIndex() {
    plan.device()
        .queues()
        .release(userIndex, plan.sendCompletions().ring(), plan.receiveCompletions().ring());
  }

  private void closeRings() {
    left = pending();
    send.close();
    if (receive != null) {
      receive.close();
    }
  }

  ProtectionDomain domain() {
    return plan.domain();
  }

  Device device() {
    return plan.device();
  }

  SendRing send() {
    return send;
  }

  /** The streams of the send queue, which must have some. */
  StreamRing streams() {
    return Objects.requireNonNull(streams);
  }

  /** Signs what is sent; null when nothing is signed. */
  @Nullable SendSignatures signatures() {
    return signatures;
  }

  /** The receive queue; null without one. */
  @Nullable ReceiveRing receive() {
    return receive;
  }

  /** The shared queue that it receives from; null without one. */
  @Nullable SharedReceives sharedReceives() {
    return plan.sharedReceives();
  }

  /** What the queue pair does in programs of the device. */
  CrossChannel channel() {
    return plan.channel();
  }

  /** Memory of the send ring. */
  MemorySegment sendMemory() {
    QueuePairShape shape = plan.shape();
    return resources.memory().segment().asSlice(shape.receiveBytes(), shape.sendBytes());
  }

  /** Memory of the receive ring, of no bytes without one. */
  MemorySegment receiveMemory() {
    return resources.memory().segment().asSlice(0, plan.shape().receiveBytes());
  }

  /** Memory of the receive queue's counter in the doorbell record. */
  MemorySegment receiveRecord() {
    DoorbellRecordPool.Record record = resources.record();
    return record.page().asSlice(record.offset() + DoorbellRecord.RECEIVE, Integer.BYTES);
  }

  StateMachine states() {
    return states;
  }

  Lifetime lifetime() {
    return lifetime;
  }

  ServiceType service() {
    return plan.service();
  }

  /** Requests of which no poll told yet. */
  PendingRequests pending() {
    return new PendingRequests(
        streams == null ? send.pendingIds() : streams.pendingIds(),
        receive == null ? new long[0] : receive.pendingIds());
  }

  /** Requests that were left when the queue pair was destroyed; none the next time. */
  PendingRequests takeLeft() {
    PendingRequests taken = left;
    left = PendingRequests.NONE;
    return taken;
  }

  /**
   * Does something on a thread that has all queues for as long: those that requests are posted to,
   * and those that they complete in.
   *
   * @throws NotOwnerException when another thread has one of them; nothing was done
   */
  PendingRequests alone(Supplier<PendingRequests> action) {
    List<Owned> queues = new ArrayList<>();
    queues.add(plan.sendCompletions().ring());
    queues.add(plan.receiveCompletions().ring());
    queues.add(send);
    if (receive != null) {
      queues.add(receive);
    }
    return Owned.alone(queues, action);
  }

  /** Empties the rings, and takes the completions of their requests out of circulation. */
  void empty() {
    int qpn = states.number();
    plan.sendCompletions().ring().discard(qpn);
    plan.receiveCompletions().ring().discard(qpn);
    send.reset();
    if (streams != null) {
      streams.reset();
    }
    if (signatures != null) {
      signatures.reset();
    }
    if (receive != null) {
      receive.reset();
    }
  }

  /** Ends all parts once. */
  void close(QueuePair queuePair) {
    if (lifetime.close(teardown)) {
      used().forEach(used -> used.removeUser(queuePair));
      plan.device().remove(queuePair);
    }
  }
}
