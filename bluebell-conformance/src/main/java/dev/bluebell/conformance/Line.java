package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.AddressHandle;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionQueueOptions;
import dev.bluebell.verbs.ConnectedQueuePair;
import dev.bluebell.verbs.DcInitiator;
import dev.bluebell.verbs.DcStreamInitiator;
import dev.bluebell.verbs.DcTarget;
import dev.bluebell.verbs.DcTargetAddress;
import dev.bluebell.verbs.MessageOperations;
import dev.bluebell.verbs.OrderedQueuePair;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.QueuePair;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.RcQueuePairBuilder;
import dev.bluebell.verbs.ReceiveLanding;
import dev.bluebell.verbs.ReceivingQueuePair;
import dev.bluebell.verbs.RelaxedRcQueuePair;
import dev.bluebell.verbs.ReliableOperations;
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
import dev.bluebell.verbs.XrcTarget;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Two ends of some kind of connection, used in the same way whatever kind it is. */
final class Line {
  /** What is not as the driver has it by default. */
  enum Option {
    /** Messages go to a shared receive queue also where queue pairs have their own. */
    SHARED_RECEIVES,
    /** Messages go to a receive queue with strides. */
    STRIDES,
    /** Messages go to a tag-matching queue. */
    TAGS,
    /** Short messages come inside completions. */
    INLINE_RECEIVES,
    /** What short READs fetch comes inside completions. */
    INLINE_ANSWERS,
    /** The sender copies memory. */
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

  /** Where what is sent comes from. */
  final Buffer source;

  /** Where WRITEs go, and READs and atomics find their data. */
  final Buffer target;

  /** Where answers land. */
  final Buffer landing;

  /** Where messages are received. */
  final Buffer inbox;

  private final CompletionQueue sends;
  private final CompletionQueue receives;
  private final Set<Option> options;
  private final Sender sender;
  private final Receiver receiver;

  /** Both halves, before they are taken apart. */
  private record Way(Sender sender, Receiver receiver) {}

  /** The queue pair that sends, and how its requests start. */
  private record Sender(QueuePair queuePair, Supplier<ReliableOperations> start) {}

  /** How messages are received. */
  private record Receiver(
      @Nullable Supplier<ReceiveLanding> receive,
      Runnable ring,
      @Nullable TagMatchingReceiveQueue tags,
      @Nullable StridingReceiveQueue strides) {

    static Receiver of(ReceivingQueuePair own) {
      return new Receiver(own::receive, own::ringReceiveDoorbell, null, null);
    }

    static Receiver of(SharedReceiveQueue queue) {
      return new Receiver(queue::receive, queue::ringDoorbell, null, null);
    }

    static Receiver of(XrcSharedReceiveQueue queue) {
      return new Receiver(queue::receive, queue::ringDoorbell, null, null);
    }

    static Receiver of(TagMatchingReceiveQueue queue) {
      return new Receiver(queue::receive, queue::ringReceiveDoorbell, queue, null);
    }

    static Receiver of(StridingReceiveQueue queue) {
      return new Receiver(null, queue::ringDoorbell, null, queue);
    }
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
    receiver = way.receiver();
  }

  /** A target puts messages only into entries of 128 bytes, where they have room for 64. */
  private CompletionQueueOptions largeEntries() {
    return CompletionQueueOptions.DEFAULT.withCqeBytes(
        options.contains(Option.INLINE_RECEIVES) ? 128 : 64);
  }

  private Buffer buffer() {
    return new Buffer(domain.allocate(BUFFER_BYTES, Access.rights()));
  }

  // ---- the kinds

  private Way reliable() {
    RcQueuePairBuilder plan =
        domain
            .rcQueuePair(sends)
            .memoryCopies(options.contains(Option.COPIES))
            .scatterToCqe(inCompletion(Option.INLINE_ANSWERS))
            .sendQueue(REQUESTS)
            .receiveQueue(0)
            .maxGather(MAX_GATHER)
            .maxInline(MAX_INLINE);
    RcQueuePairBuilder there =
        domain
            .rcQueuePair(sends)
            .receiveCompletions(receives)
            .receiveQueue(REQUESTS)
            .inlineReceive(inCompletion(Option.INLINE_RECEIVES));
    Receiver shared = null;
    if (options.contains(Option.SHARED_RECEIVES)) {
      SharedReceiveQueue queue = shared();
      there.receiveFrom(queue);
      shared = Receiver.of(queue);
    } else if (options.contains(Option.TAGS)) {
      TagMatchingReceiveQueue queue =
          domain.tagMatchingReceiveQueue(receives).tags(15).requests(15).create();
      there.receiveFrom(queue);
      shared = Receiver.of(queue);
    }
    if (options.contains(Option.STRIDES)) {
      StridingReceiveQueue queue = strides();
      there.receiveFrom(queue);
      shared = Receiver.of(queue);
    }
    RcQueuePair right = there.create();
    Receiver messages = shared == null ? Receiver.of(right) : shared;
    if (kind == ConnectionKind.RC) {
      RcQueuePair left = connect(plan.create(), right);
      connect(right, left);
      return new Way(new Sender(left, () -> left), messages);
    }
    RelaxedRcQueuePair left = connect(plan.relaxedOrdering().create(), right);
    connect(right, left);
    return new Way(
        new Sender(left, () -> Stages.as(ReliableOperations.class, RelaxedRcQueuePair.class, left)),
        messages);
  }

  private Way unreliable() {
    UcQueuePair left =
        domain
            .ucQueuePair(sends)
            .sendQueue(REQUESTS)
            .receiveQueue(0)
            .maxGather(MAX_GATHER)
            .maxInline(MAX_INLINE)
            .create();
    UcQueuePairBuilder there =
        domain
            .ucQueuePair(sends)
            .receiveCompletions(receives)
            .receiveQueue(REQUESTS)
            .inlineReceive(inCompletion(Option.INLINE_RECEIVES));
    SharedReceiveQueue queue = options.contains(Option.SHARED_RECEIVES) ? shared() : null;
    if (queue != null) {
      there.receiveFrom(queue);
    }
    UcQueuePair right = connect(there.create(), left);
    connect(left, right);
    return new Way(
        new Sender(left, () -> Stages.as(ReliableOperations.class, WriteOperations.class, left)),
        queue == null ? Receiver.of(right) : Receiver.of(queue));
  }

  private Way datagrams() {
    UdQueuePair left =
        domain
            .udQueuePair(sends)
            .sendQueue(REQUESTS)
            .receiveQueue(0)
            .maxGather(MAX_GATHER)
            .maxInline(MAX_INLINE)
            .create();
    UdQueuePairBuilder there =
        domain
            .udQueuePair(sends)
            .receiveCompletions(receives)
            .receiveQueue(REQUESTS)
            .inlineReceive(inCompletion(Option.INLINE_RECEIVES));
    SharedReceiveQueue queue = options.contains(Option.SHARED_RECEIVES) ? shared() : null;
    if (queue != null) {
      there.receiveFrom(queue);
    }
    UdQueuePair right = there.create();
    AddressHandle to = left.addressHandle(right.endpoint());
    return new Way(
        new Sender(
            left, () -> Stages.as(ReliableOperations.class, MessageOperations.class, left.to(to))),
        queue == null ? Receiver.of(right) : Receiver.of(queue));
  }

  /** A target of dynamic connections, and how its messages are received. */
  private record Place(DcTarget target, Receiver receiver) {}

  private Place place() {
    if (options.contains(Option.STRIDES)) {
      StridingReceiveQueue queue = strides();
      return new Place(domain.dcTarget(receives, queue).create(), Receiver.of(queue));
    }
    SharedReceiveQueue queue = shared();
    return new Place(domain.dcTarget(receives, queue).create(), Receiver.of(queue));
  }

  private Way dynamic() {
    Place place = place();
    DcInitiator left =
        domain
            .dcInitiator(sends)
            .memoryCopies(options.contains(Option.COPIES))
            .sendQueue(REQUESTS)
            .maxGather(MAX_GATHER)
            .maxInline(MAX_INLINE)
            .create();
    DcTargetAddress to = left.targetAddress(place.target().endpoint());
    return new Way(new Sender(left, () -> left.target(to)), place.receiver());
  }

  private Way streams() {
    Place place = place();
    DcStreamInitiator left =
        domain
            .dcStreamInitiator(sends, STREAMS)
            .memoryCopies(options.contains(Option.COPIES))
            .sendQueue(REQUESTS)
            .maxGather(MAX_GATHER)
            .maxInline(MAX_INLINE)
            .create();
    DcTargetAddress to = left.targetAddress(place.target().endpoint());
    Supplier<ReliableOperations> start =
        () ->
            Stages.as(ReliableOperations.class, StreamOperations.class, left.stream(1).target(to));
    return new Way(new Sender(left, start), place.receiver());
  }

  private Way extended() {
    XrcDomain xrcDomain = bench.device().allocateXrcDomain();
    XrcSharedReceiveQueue queue =
        domain.xrcSharedReceiveQueue(xrcDomain, receives).requests(REQUESTS).create();
    XrcInitiator left =
        domain
            .xrcInitiator(sends)
            .sendQueue(REQUESTS)
            .maxGather(MAX_GATHER)
            .maxInline(MAX_INLINE)
            .create();
    XrcTarget right = connect(xrcDomain.target().create(), left);
    connect(left, right);
    return new Way(
        new Sender(left, () -> left.toSharedReceives(queue.number())), Receiver.of(queue));
  }

  private static <Q extends ConnectedQueuePair> Q connect(Q one, ConnectedQueuePair other) {
    one.connect(other.endpoint());
    return one;
  }

  private SharedReceiveQueue shared() {
    return domain.sharedReceiveQueue().requests(REQUESTS).create();
  }

  /** Their entries fit the inbox. */
  private StridingReceiveQueue strides() {
    return domain.stridingReceiveQueue().strides(STRIDES).strideBytes(STRIDE_BYTES).create();
  }

  private int inCompletion(Option option) {
    return options.contains(option) ? IN_COMPLETION : 0;
  }

  // ---- requests

  /** The queue pair that sends. */
  QueuePair sender() {
    return sender.queuePair();
  }

  /** The queue pair that sends, if its requests complete in order. */
  OrderedQueuePair ordered() {
    return (OrderedQueuePair) sender.queuePair();
  }

  /** Starts the next request, to the other end. */
  ReliableOperations begin() {
    return sender.start().get();
  }

  /** Posts a receive request for the start of the inbox, header included, and rings for it. */
  void receive(int bytes, long id) {
    StridingReceiveQueue strides = receiver.strides();
    if (strides != null) {
      strides.entry(inbox.region(), 0, id).post();
    } else {
      Objects.requireNonNull(receiver.receive())
          .get()
          .scatter(inbox.address(0), headerBytes() + bytes, inbox.lkey())
          .post(id);
    }
    receiver.ring().run();
  }

  /** The tag-matching queue at the other end. */
  TagMatchingReceiveQueue tags() {
    return Objects.requireNonNull(receiver.tags());
  }

  /** Where requests complete. */
  CompletionQueue sends() {
    return sends;
  }

  /** Where receives complete. */
  CompletionQueue receives() {
    return receives;
  }

  /** Bytes in front of each message that is received. */
  int headerBytes() {
    return kind == ConnectionKind.UD ? UdQueuePair.HEADER_BYTES : 0;
  }

  /** True when messages may be lost. */
  boolean loses() {
    return bench.loses() && !kind.isReliable();
  }

  /** Rings for what was posted, and waits for the one completion that it has. */
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
