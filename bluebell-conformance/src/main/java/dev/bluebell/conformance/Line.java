package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.conformance.traffic.Stages;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.AddressHandle;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionQueueOptions;
import dev.bluebell.verbs.ConnectedQueuePair;
import dev.bluebell.verbs.DcInitiator;
import dev.bluebell.verbs.DcStreamInitiator;
import dev.bluebell.verbs.DcTarget;
import dev.bluebell.verbs.DcTargetAddress;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.MessageOperations;
import dev.bluebell.verbs.OrderedQueuePair;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.QueuePair;
import dev.bluebell.verbs.QueuePairBuilder;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.RcQueuePairBuilder;
import dev.bluebell.verbs.ReceiveLanding;
import dev.bluebell.verbs.ReceivingQueuePair;
import dev.bluebell.verbs.ReceivingQueuePairBuilder;
import dev.bluebell.verbs.RelaxedRcQueuePair;
import dev.bluebell.verbs.ReliableOperations;
import dev.bluebell.verbs.ScatteringReceiveQueue;
import dev.bluebell.verbs.SharedReceiveQueue;
import dev.bluebell.verbs.StreamOperations;
import dev.bluebell.verbs.StridingReceiveQueue;
import dev.bluebell.verbs.TagMatchingReceiveQueue;
import dev.bluebell.verbs.UcQueuePair;
import dev.bluebell.verbs.UcQueuePairBuilder;
import dev.bluebell.verbs.UdQueuePair;
import dev.bluebell.verbs.UdQueuePairBuilder;
import dev.bluebell.verbs.WriteOperations;
import dev.bluebell.verbs.XrcDomain;
import dev.bluebell.verbs.XrcInitiator;
import dev.bluebell.verbs.XrcSharedReceiveQueue;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A sender and a receiver of any connection kind, behind one interface. */
final class Line {
  /** Deviations from the driver's defaults. */
  enum Option {
    /** Messages go to a shared receive queue, even if the queue pair could have its own. */
    SHARED_RECEIVES,
    /** Messages go to a striding receive queue. */
    STRIDES,
    /** Messages go to a tag-matching queue. */
    TAGS,
    /** Short messages arrive inside completions. */
    INLINE_RECEIVES,
    /** Data of short READs arrives inside completions. */
    INLINE_ANSWERS,
    /** The sender can copy memory. */
    COPIES
  }

  private static final int ENTRIES = 64;
  private static final int REQUESTS = 16;
  private static final int BUFFER_BYTES = 1 << 14;
  private static final int IN_COMPLETION = 32;
  private static final int STREAMS = 4;
  private static final int STRIDES = 8;
  private static final int STRIDE_BYTES = 1024;
  private static final int MAX_GATHER = 3;
  private static final int MAX_INLINE = 192;

  final Bench bench;
  final ConnectionKind kind;
  final ProtectionDomain domain;

  /** Source of sent data. */
  final Buffer source;

  /** Target of WRITEs, READs and atomics. */
  final Buffer target;

  /** Destination of READ data and atomic results. */
  final Buffer landing;

  /** Destination of received messages. */
  final Buffer inbox;

  private final CompletionQueue sends;
  private final CompletionQueue receives;
  private final Set<Option> options;
  private final QueuePair sender;
  private final Supplier<ReliableOperations> start;
  private final Receiver receiver;
  private @Nullable TagMatchingReceiveQueue tags;

  /**
   * The sending and the receiving half.
   *
   * @param sender the queue pair that sends
   * @param start starts its next request
   */
  private record Way(QueuePair sender, Supplier<ReliableOperations> start, Receiver receiver) {}

  /** The receiving half. */
  private interface Receiver {
    /** Posts a receive request for so many bytes at the start of the inbox, and rings for it. */
    void receive(int bytes, long id);
  }

  Line(Bench bench, ConnectionKind kind, Option... options) {
    this.bench = bench;
    this.kind = kind;
    domain = bench.domain();
    this.options = Set.of(options);
    sends = bench.device().createCompletionQueue(ENTRIES);
    receives = bench.device().createCompletionQueue(ENTRIES, largeEntries());
    source = buffer().fill(1);
    target = buffer().fill(2);
    landing = buffer().fill(3);
    inbox = buffer().fill(4);
    Way way =
        switch (kind) {
          case RC, RELAXED_RC -> reliable();
          case UC -> unreliable();
          case UD -> datagrams();
          case DC -> dynamic();
          case DC_STREAM -> streams();
          case XRC -> extended();
        };
    sender = way.sender();
    start = way.start();
    receiver = way.receiver();
  }

  /** A target places messages only into CQEs of 128 bytes, which have room for 64. */
  private CompletionQueueOptions largeEntries() {
    return CompletionQueueOptions.DEFAULT.withCqeBytes(
        options.contains(Option.INLINE_RECEIVES) ? 128 : 64);
  }

  private Buffer buffer() {
    return new Buffer(domain.allocate(BUFFER_BYTES, Access.rights()));
  }

  // ---- the kinds

  private <B extends QueuePairBuilder<B>> B sending(B plan) {
    return plan.sendQueue(REQUESTS).maxGather(MAX_GATHER).maxInline(MAX_INLINE);
  }

  private <B extends ReceivingQueuePairBuilder<B>> B receiving(B plan) {
    return plan.receiveCompletions(receives)
        .receiveQueue(REQUESTS)
        .inlineReceive(inCompletion(Option.INLINE_RECEIVES));
  }

  private Receiver to(Supplier<ReceiveLanding> queue, Runnable doorbell) {
    return (bytes, id) -> {
      queue.get().scatter(inbox.address(0), bytes, inbox.lkey()).post(id);
      doorbell.run();
    };
  }

  private Receiver to(ReceivingQueuePair own) {
    return to(own::receive, own::ringReceiveDoorbell);
  }

  private Receiver to(ScatteringReceiveQueue queue) {
    return to(queue::receive, queue::ringDoorbell);
  }

  private static Receiver to(StridingReceiveQueue queue, MemoryRegion memory) {
    return (bytes, id) -> {
      queue.entry(memory, 0, id).post();
      queue.ringDoorbell();
    };
  }

  private Way reliable() {
    RcQueuePairBuilder plan =
        sending(domain.rcQueuePair(sends))
            .memoryCopies(options.contains(Option.COPIES))
            .scatterToCqe(inCompletion(Option.INLINE_ANSWERS))
            .receiveQueue(0);
    RcQueuePairBuilder there = receiving(domain.rcQueuePair(sends));
    Receiver shared = null;
    if (options.contains(Option.SHARED_RECEIVES)) {
      SharedReceiveQueue queue = shared();
      there.receiveFrom(queue);
      shared = to(queue);
    } else if (options.contains(Option.TAGS)) {
      TagMatchingReceiveQueue queue =
          domain.tagMatchingReceiveQueue(receives).tags(15).requests(15).create();
      there.receiveFrom(queue);
      shared = to(queue::receive, queue::ringReceiveDoorbell);
      tags = queue;
    } else if (options.contains(Option.STRIDES)) {
      StridingReceiveQueue queue = strides();
      there.receiveFrom(queue);
      shared = to(queue, inbox.region());
    }
    RcQueuePair right = there.create();
    Receiver messages = shared == null ? to(right) : shared;
    if (kind == ConnectionKind.RC) {
      RcQueuePair left = connect(plan.create(), right);
      return new Way(left, () -> left, messages);
    }
    RelaxedRcQueuePair left = connect(plan.relaxedOrdering().create(), right);
    return new Way(
        left, () -> Stages.as(ReliableOperations.class, RelaxedRcQueuePair.class, left), messages);
  }

  private Way unreliable() {
    UcQueuePairBuilder there = receiving(domain.ucQueuePair(sends));
    SharedReceiveQueue queue = options.contains(Option.SHARED_RECEIVES) ? shared() : null;
    if (queue != null) {
      there.receiveFrom(queue);
    }
    UcQueuePair right = there.create();
    UcQueuePair left = connect(sending(domain.ucQueuePair(sends)).receiveQueue(0).create(), right);
    return new Way(
        left,
        () -> Stages.as(ReliableOperations.class, WriteOperations.class, left),
        queue == null ? to(right) : to(queue));
  }

  private Way datagrams() {
    UdQueuePair left = sending(domain.udQueuePair(sends)).receiveQueue(0).create();
    UdQueuePairBuilder there = receiving(domain.udQueuePair(sends));
    SharedReceiveQueue queue = options.contains(Option.SHARED_RECEIVES) ? shared() : null;
    if (queue != null) {
      there.receiveFrom(queue);
    }
    UdQueuePair right = there.create();
    AddressHandle to = left.addressHandle(right.endpoint());
    return new Way(
        left,
        () -> Stages.as(ReliableOperations.class, MessageOperations.class, left.to(to)),
        queue == null ? to(right) : to(queue));
  }

  /** A target of dynamic connections with its receiver. */
  private record Place(DcTarget target, Receiver receiver) {}

  private Place place() {
    if (options.contains(Option.STRIDES)) {
      StridingReceiveQueue queue = strides();
      return new Place(domain.dcTarget(receives, queue).create(), to(queue, inbox.region()));
    }
    SharedReceiveQueue queue = shared();
    return new Place(domain.dcTarget(receives, queue).create(), to(queue));
  }

  private Way dynamic() {
    Place place = place();
    DcInitiator left =
        sending(domain.dcInitiator(sends)).memoryCopies(options.contains(Option.COPIES)).create();
    DcTargetAddress to = left.targetAddress(place.target().endpoint());
    return new Way(left, () -> left.target(to), place.receiver());
  }

  private Way streams() {
    Place place = place();
    DcStreamInitiator left =
        sending(domain.dcStreamInitiator(sends, STREAMS))
            .memoryCopies(options.contains(Option.COPIES))
            .create();
    DcTargetAddress to = left.targetAddress(place.target().endpoint());
    return new Way(
        left,
        () ->
            Stages.as(ReliableOperations.class, StreamOperations.class, left.stream(1).target(to)),
        place.receiver());
  }

  private Way extended() {
    XrcDomain xrcDomain = bench.device().allocateXrcDomain();
    XrcSharedReceiveQueue queue =
        domain.xrcSharedReceiveQueue(xrcDomain, receives).requests(REQUESTS).create();
    XrcInitiator left =
        connect(sending(domain.xrcInitiator(sends)).create(), xrcDomain.target().create());
    return new Way(left, () -> left.toSharedReceives(queue.number()), to(queue));
  }

  /** Connects both ends, the receiver first. */
  private static <Q extends ConnectedQueuePair> Q connect(Q sender, ConnectedQueuePair receiver) {
    Bench.connect(receiver, sender);
    return sender;
  }

  private SharedReceiveQueue shared() {
    return domain.sharedReceiveQueue().requests(REQUESTS).create();
  }

  /** A striding receive queue whose entries fit the inbox. */
  private StridingReceiveQueue strides() {
    return domain.stridingReceiveQueue().strides(STRIDES).strideBytes(STRIDE_BYTES).create();
  }

  private int inCompletion(Option option) {
    return options.contains(option) ? IN_COMPLETION : 0;
  }

  // ---- requests

  /** The queue pair that sends. */
  QueuePair sender() {
    return sender;
  }

  /** The sending queue pair, if its requests complete in order. */
  OrderedQueuePair ordered() {
    return (OrderedQueuePair) sender;
  }

  /** Starts the next request, to the other end. */
  ReliableOperations begin() {
    return start.get();
  }

  /** Posts a receive request for the start of the inbox, header included, and rings for it. */
  void receive(int bytes, long id) {
    receiver.receive(headerBytes() + bytes, id);
  }

  /** The tag-matching queue at the other end. */
  TagMatchingReceiveQueue tags() {
    return Objects.requireNonNull(tags);
  }

  /** The completion queue of requests. */
  CompletionQueue sends() {
    return sends;
  }

  /** The completion queue of receives. */
  CompletionQueue receives() {
    return receives;
  }

  /** Bytes before each received message. */
  int headerBytes() {
    return kind == ConnectionKind.UD ? UdQueuePair.HEADER_BYTES : 0;
  }

  /** True when messages may be lost. */
  boolean loses() {
    return bench.loses() && !kind.isReliable();
  }

  /** Rings for the posted requests, and waits for their single completion. */
  Done awaitSend() {
    sender().ringDoorbell();
    return bench.await(sends, 1).getFirst();
  }

  /** Waits for a message; null when it was lost. */
  @Nullable Done awaitReceive() {
    if (!loses()) {
      return bench.await(receives, 1).getFirst();
    }
    List<Done> done = bench.pollForAWhile(receives);
    assertThat(done).hasSizeLessThan(2);
    return done.isEmpty() ? null : done.getFirst();
  }
}
