package dev.bluebell.verbs.pair;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.verbs.NotOwnerException;
import dev.bluebell.verbs.PendingRequests;
import dev.bluebell.verbs.command.CrossChannel;
import dev.bluebell.verbs.command.QueuePairShape;
import dev.bluebell.verbs.object.DeviceContext;
import dev.bluebell.verbs.object.DeviceObject;
import dev.bluebell.verbs.object.Domain;
import dev.bluebell.verbs.object.DoorbellRecordPool;
import dev.bluebell.verbs.object.QueueResources;
import dev.bluebell.verbs.object.Teardown;
import dev.bluebell.verbs.receive.SharedReceives;
import dev.bluebell.verbs.ring.Owned;
import dev.bluebell.verbs.ring.ReceiveRing;
import dev.bluebell.verbs.ring.ReceiveRingLayout;
import dev.bluebell.verbs.ring.Receives;
import dev.bluebell.verbs.ring.SendRing;
import dev.bluebell.verbs.ring.SendRingLayout;
import dev.bluebell.verbs.ring.SendRingState;
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
 * with its state, and the rings. They are created and destroyed together.
 */
public final class QueuePairParts {
  private final QueuePairPlan plan;

  private final QueueResources resources;

  private final int userIndex;
  private final SendRing send;
  private final @Nullable StreamRing streams;
  private final @Nullable SendSignatures signatures;
  private final @Nullable ReceiveRing receive;
  private final StateMachine states;
  private final Teardown teardown;
  private final WorkQueues queues;

  /** Requests that were pending when the queue pair was destroyed. */
  private PendingRequests left = PendingRequests.NONE;

  private QueuePairParts(QueuePairPlan plan, Teardown teardown) {
    this.plan = plan;
    this.teardown = teardown;
    DeviceContext device = plan.device();
    resources = QueueResources.ofQueuePair(device, plan.shape().bytes(), usesBlueFlame(), teardown);
    userIndex = device.queues().reserve();
    teardown.add(this::releaseUserIndex);
    HcaObject object = device.hca().create(CreateQueuePair.command(plan, resources, userIndex));
    teardown.add(object::close);
    int qpn = object.number();
    states = new StateMachine(object, device.name());
    receive = plan.shape().hasReceiveQueue() ? receiveRing(qpn) : null;
    send = sendRing(qpn);
    send.keepReachable(resources);
    if (receive != null) {
      receive.keepReachable(resources);
    }
    streams = plan.streams().areThere() ? new StreamRing(send) : null;
    signatures = plan.features().signatures() ? new SendSignatures(send) : null;
    teardown.addAfterLatest(this::closeRings);
    queues = workQueues(qpn);
    device.queues().set(userIndex, queues);
    device.watchQueuePair(object);
  }

  /**
   * Creates a queue pair.
   *
   * @param kind creates it from its parts; may move it to another state
   */
  public static <Q extends QueuePairImpl> Q assemble(
      QueuePairPlan plan, Function<QueuePairParts, Q> kind) {
    return DeviceObject.create(plan.device(), () -> make(plan, kind));
  }

  private static <Q extends QueuePairImpl> Q make(
      QueuePairPlan plan, Function<QueuePairParts, Q> kind) {
    Teardown teardown = new Teardown();
    try {
      QueuePairParts parts = new QueuePairParts(plan, teardown);
      Q queuePair = kind.apply(parts);
      parts.queues.belongTo(queuePair);
      return queuePair;
    } catch (RuntimeException | Error e) {
      throw teardown.runAfter(e);
    }
  }

  private WorkQueues workQueues(int qpn) {
    return streams == null
        ? new WorkQueues(qpn, send, receives())
        : WorkQueues.ofStreams(qpn, streams);
  }

  private @Nullable Receives receives() {
    SharedReceives shared = plan.uses().sharedReceives();
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
            plan.features().signatures(),
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
            .withNopFill(plan.features().nopFill())
            .withManaged(plan.channel().managedSends())
            .withBlueFlame(usesBlueFlame())
            .withStaging(stagesRequests()),
        plan.requests());
  }

  private boolean usesBlueFlame() {
    return plan.features().blueFlame() && plan.device().attributes().blueFlame();
  }

  /** NIC programs read and write the rings of their queues before those ring. */
  private boolean stagesRequests() {
    return plan.device().hca().isSoftware() && plan.channel().equals(CrossChannel.NONE);
  }

  private void releaseUserIndex() {
    QueuePairUses uses = plan.uses();
    plan.device()
        .queues()
        .release(userIndex, uses.sendCompletions().ring(), uses.receiveCompletions().ring());
  }

  private void closeRings() {
    left = pending();
    send.close();
    if (receive != null) {
      receive.close();
    }
  }

  public QueuePairPlan plan() {
    return plan;
  }

  public Domain domain() {
    return plan.uses().domain();
  }

  public DeviceContext device() {
    return plan.device();
  }

  /** The steps that destroy it. */
  Teardown teardown() {
    return teardown;
  }

  public SendRing send() {
    return send;
  }

  /** State of the send queue. Call it on the posting thread. */
  public SendRingState sendState() {
    return streams == null ? send.state() : streams.state();
  }

  /** The streams of the send queue, which must have some. */
  public StreamRing streams() {
    return Objects.requireNonNull(streams);
  }

  /** Signs send requests; null when they are not signed. */
  public @Nullable SendSignatures signatures() {
    return signatures;
  }

  /** The receive queue; null without one. */
  public @Nullable ReceiveRing receive() {
    return receive;
  }

  /** Memory of the send ring. */
  public MemorySegment sendMemory() {
    QueuePairShape shape = plan.shape();
    return resources.memory().segment().asSlice(shape.receiveBytes(), shape.sendBytes());
  }

  /** Memory of the receive ring; empty without one. */
  public MemorySegment receiveMemory() {
    return resources.memory().segment().asSlice(0, plan.shape().receiveBytes());
  }

  /** Memory of the receive queue's counter in the doorbell record. */
  public MemorySegment receiveRecord() {
    DoorbellRecordPool.Record record = resources.record();
    return record.page().asSlice(record.offset() + DoorbellRecord.RECEIVE, Integer.BYTES);
  }

  public StateMachine states() {
    return states;
  }

  /** Requests whose completions have not been polled. */
  public PendingRequests pending() {
    return new PendingRequests(
        streams == null ? send.pendingIds() : streams.pendingIds(),
        receive == null ? new long[0] : receive.pendingIds());
  }

  /**
   * Returns the requests that were pending when the queue pair was destroyed; empty on later calls.
   */
  public PendingRequests takeLeft() {
    PendingRequests taken = left;
    left = PendingRequests.NONE;
    return taken;
  }

  /**
   * Runs an action while the calling thread owns all queues: those that requests are posted to, and
   * those that they complete in.
   *
   * @throws NotOwnerException when another thread owns one of them; the action did not run
   */
  public PendingRequests alone(Supplier<PendingRequests> action) {
    List<Owned> queues = new ArrayList<>();
    queues.add(plan.uses().sendCompletions().ring());
    queues.add(plan.uses().receiveCompletions().ring());
    queues.add(send);
    if (receive != null) {
      queues.add(receive);
    }
    return Owned.alone(queues, action);
  }

  /** Empties the rings, and takes the completions of their requests out of circulation. */
  public void empty() {
    int qpn = states.number();
    plan.uses().sendCompletions().ring().discard(qpn);
    plan.uses().receiveCompletions().ring().discard(qpn);
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
}
