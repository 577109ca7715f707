package dev.bluebell.conformance.traffic;

import dev.bluebell.conformance.traffic.Inbox.Service;
import dev.bluebell.verbs.AddressHandle;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionQueueOptions;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.ConnectedQueuePair;
import dev.bluebell.verbs.ConnectedReceivingQueuePair;
import dev.bluebell.verbs.DcInitiator;
import dev.bluebell.verbs.DcStreamInitiator;
import dev.bluebell.verbs.DcTarget;
import dev.bluebell.verbs.DcTargetAddress;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MessageOperations;
import dev.bluebell.verbs.QueuePairBuilder;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.RcQueuePairBuilder;
import dev.bluebell.verbs.ReceivingQueuePair;
import dev.bluebell.verbs.ReceivingQueuePairBuilder;
import dev.bluebell.verbs.RelaxedRcQueuePair;
import dev.bluebell.verbs.ReliableOperations;
import dev.bluebell.verbs.SharedReceiveQueue;
import dev.bluebell.verbs.StreamOperations;
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
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Stream;

/** Queue pairs, their flows and inboxes. */
final class Population {
  /** Inline bytes that every queue pair supports. */
  static final int MOST_INLINE = 28;

  private static final int TERRITORIES = 4;
  private static final int COMPLETION_QUEUES = 8;
  private static final int COMPLETION_ENTRIES = 1 << 14;
  private static final int DC_GROUPS = 8;
  private static final int XRC_GROUPS = 6;
  private static final int OWN_SLOTS = 8;
  private static final int SHARED_SLOTS = 31;
  private static final int TAG_PLACES = 15;

  /** Code of the ACK timeout where requests are lost: 4 ms. */
  private static final int SHORT_TIMEOUT = 10;

  /**
   * Code of the ACK timeout elsewhere, 0.5 s: on a busy machine, serving so many queue pairs may
   * take longer than eight short timeouts.
   */
  private static final int LONG_TIMEOUT = 17;

  private final Device device;
  private final SplittableRandom random;
  private final Tally tally;
  private final int placeBytes;
  private final List<Territory> territories = new ArrayList<>();
  private final List<CompletionQueue> completions = new ArrayList<>();
  private final List<CompletionQueue> large = new ArrayList<>();
  private final List<Flow> flows = new ArrayList<>();
  private final List<Inbox> inboxes = new ArrayList<>();

  /** Entries of RoCE v2, at most one with IPv6 and one with IPv4. */
  private final List<Integer> gidIndices;

  private final StringBuilder description = new StringBuilder();
  private int queuePairs;

  /**
   * @param loses true when requests may be lost, so some wait for the ACK timeout
   * @param placeBytes size of the places between which reliable flows move bytes
   */
  private Population(
      Device device, SplittableRandom random, boolean loses, int territoryBytes, int placeBytes) {
    this.device = device;
    this.random = random;
    this.placeBytes = placeBytes;
    gidIndices =
        Stream.of(false, true)
            .flatMapToInt(ipv4 -> RoceEntries.first(device, ipv4).stream())
            .boxed()
            .toList();
    tally = new Tally(loses, device.attributes().maskedAtomicSizes() == (4 | 8 | 16));
    for (int i = 0; i < TERRITORIES; i++) {
      territories.add(
          new Territory(device.allocateProtectionDomain(), territoryBytes, tally.counter, random));
    }
    for (int i = 0; i < COMPLETION_QUEUES; i++) {
      int bytes = 64 << (i & 1);
      CompletionQueue queue =
          device.createCompletionQueue(
              COMPLETION_ENTRIES, CompletionQueueOptions.DEFAULT.withCqeBytes(bytes));
      completions.add(queue);
      if (bytes == 128) {
        large.add(queue);
      }
    }
  }

  /** Three reliable connections. */
  static Population ofConnections(Device device, SplittableRandom random, boolean loses) {
    Population population = new Population(device, random, loses, 1 << 20, 1 << 15);
    population.connections(3);
    return population;
  }

  /**
   * A thousand queue pairs, fewer if the device has fewer.
   *
   * @param streams true when it has initiators of dynamic connections with streams
   */
  static Population ofAllKinds(
      Device device, SplittableRandom random, boolean loses, boolean streams) {
    Population population = new Population(device, random, loses, 24 << 20, 1 << 12);
    population.settle(streams);
    return population;
  }

  private void settle(boolean streams) {
    connections(110);
    connectionsToSharedQueues(40);
    if (device.attributes().maxTags() > 0) {
      connectionsToTags(24);
    }
    connections(
        50, "relaxed RC", plan -> plan.relaxedOrdering().create(), Population::relaxedPoster);
    unreliableConnections(60);
    datagrams(100);
    int streaming = streams ? 4 : 0;
    for (int group = 0; group < DC_GROUPS; group++) {
      dynamicConnections(8, streaming, 12);
    }
    note(DC_GROUPS * 8, "DC initiators");
    note(DC_GROUPS * streaming, "DC initiators with streams");
    note(DC_GROUPS * 12, "DC targets");
    for (int group = 0; group < XRC_GROUPS; group++) {
      extendedConnections(12);
    }
    note(XRC_GROUPS * 24, "XRC");
  }

  Tally tally() {
    return tally;
  }

  List<Flow> flows() {
    return flows;
  }

  List<Inbox> inboxes() {
    return inboxes;
  }

  List<Territory> territories() {
    return territories;
  }

  List<CompletionQueue> completions() {
    return completions;
  }

  int queuePairs() {
    return queuePairs;
  }

  /** The number of queue pairs of each kind. */
  @Override
  public String toString() {
    return "%d queue pairs (%s), %d flows".formatted(queuePairs, description, flows.size());
  }

  private void note(int count, String what) {
    queuePairs += count;
    description.append(description.isEmpty() ? "" : ", ").append(count).append(' ').append(what);
  }

  private Territory territory() {
    return territories.get(random.nextInt(territories.size()));
  }

  private CompletionQueue queue() {
    return completions.get(random.nextInt(completions.size()));
  }

  // ---- common to all kinds

  private ConnectOptions options() {
    return ConnectOptions.DEFAULT
        .withPathMtu(256 << random.nextInt(5))
        .withMaxReads(1 << random.nextInt(5))
        .withTimeout(tally.loses ? SHORT_TIMEOUT : LONG_TIMEOUT)
        .withMinRnrTimer(1);
  }

  private void connect(ConnectedQueuePair left, ConnectedQueuePair right) {
    ConnectOptions options = options();
    left.connect(right.endpoint(), options);
    right.connect(left.endpoint(), options);
  }

  private <B extends QueuePairBuilder<B>> B sending(B plan) {
    return plan.sendQueue(4 << random.nextInt(5))
        .maxGather(Request.MOST_PIECES)
        .maxInline(MOST_INLINE);
  }

  private <B extends ReceivingQueuePairBuilder<B>> B both(B plan) {
    return sending(plan).receiveQueue(OWN_SLOTS).maxScatter(Request.MOST_PIECES);
  }

  private Inbox own(Territory territory, ReceivingQueuePair queuePair, Service service) {
    return inbox(territory, ReceiveQueue.of(queuePair), service, OWN_SLOTS);
  }

  private Inbox inbox(Territory territory, ReceiveQueue queue, Service service, int slots) {
    return add(new Inbox(inboxes.size(), tally, territory, queue, flows, service, slots));
  }

  private <I extends Inbox> I add(I inbox) {
    inboxes.add(inbox);
    return inbox;
  }

  /** A shared receive queue and its inbox. */
  private record Shared(SharedReceiveQueue queue, Inbox inbox) {
    Territory home() {
      return inbox.territory();
    }
  }

  private Shared shared(Territory home, Service service) {
    SharedReceiveQueue queue =
        home.domain()
            .sharedReceiveQueue()
            .requests(SHARED_SLOTS)
            .maxScatter(Request.MOST_PIECES)
            .create();
    return new Shared(queue, inbox(home, ReceiveQueue.of(queue), service, SHARED_SLOTS));
  }

  private void reliable(
      Poster poster, Territory here, Territory there, List<? extends Inbox> targets) {
    if (flows.size() == Mark.MOST_FLOWS) {
      throw new IllegalStateException("there are %d flows already".formatted(flows.size()));
    }
    flows.add(new ReliableFlow(flows.size(), poster, tally, here, there, placeBytes, targets));
  }

  private void unreliable(
      Poster poster, Territory here, Territory there, List<Inbox> targets, Service service) {
    flows.add(new UnreliableFlow(flows.size(), poster, tally, here, there, targets, service));
  }

  // ---- reliable connections

  private RcQueuePairBuilder connection(Territory territory) {
    return both(territory.domain().rcQueuePair(queue()))
        .maxInline(MOST_INLINE + random.nextInt(200))
        .nopFill(random.nextBoolean())
        .blueFlame(random.nextBoolean());
  }

  /** Places messages inside completions, at random. */
  private RcQueuePairBuilder receiving(RcQueuePairBuilder plan) {
    return switch (random.nextInt(3)) {
      case 0 -> plan.receiveCompletions(queue());
      case 1 -> plan.receiveCompletions(queue()).inlineReceive(32);
      default -> plan.receiveCompletions(large.get(random.nextInt(large.size()))).inlineReceive(64);
    };
  }

  private static Poster poster(RcQueuePair queuePair) {
    return new Poster(queuePair, target -> queuePair, 1);
  }

  private static Poster relaxedPoster(RelaxedRcQueuePair queuePair) {
    return new Poster(
        queuePair,
        target -> Stages.as(ReliableOperations.class, RelaxedRcQueuePair.class, queuePair),
        1);
  }

  private void connections(int pairs) {
    connections(pairs, "RC", RcQueuePairBuilder::create, Population::poster);
  }

  private <Q extends ConnectedReceivingQueuePair> void connections(
      int pairs, String what, Function<RcQueuePairBuilder, Q> kind, Function<Q, Poster> posters) {
    for (int i = 0; i < pairs; i++) {
      Territory leftHome = territory();
      Territory rightHome = territory();
      Q left = kind.apply(receiving(connection(leftHome)));
      Q right = kind.apply(receiving(connection(rightHome)));
      connect(left, right);
      Inbox leftInbox = own(leftHome, left, Service.RELIABLE);
      Inbox rightInbox = own(rightHome, right, Service.RELIABLE);
      reliable(posters.apply(left), leftHome, rightHome, List.of(rightInbox));
      reliable(posters.apply(right), rightHome, leftHome, List.of(leftInbox));
    }
    note(2 * pairs, what);
  }

  private void connectionsToSharedQueues(int pairs) {
    List<Shared> queues = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      queues.add(shared(territory(), Service.RELIABLE));
    }
    for (int i = 0; i < pairs; i++) {
      Shared shared = queues.get(random.nextInt(queues.size()));
      Territory leftHome = territory();
      RcQueuePair left = connection(leftHome).create();
      RcQueuePair right = receiving(connection(shared.home())).receiveFrom(shared.queue()).create();
      connect(left, right);
      Inbox leftInbox = own(leftHome, left, Service.RELIABLE);
      reliable(poster(left), leftHome, shared.home(), List.of(shared.inbox()));
      reliable(poster(right), shared.home(), leftHome, List.of(leftInbox));
    }
    note(2 * pairs, "RC over SRQs");
  }

  private void connectionsToTags(int pairs) {
    for (int i = 0; i < pairs; i += 6) {
      Territory home = territory();
      TagMatchingReceiveQueue queue =
          home.domain()
              .tagMatchingReceiveQueue(queue())
              .tags(TAG_PLACES)
              .operations(64)
              .requests(SHARED_SLOTS)
              .maxScatter(Request.MOST_PIECES)
              .create();
      TagInbox tags =
          add(new TagInbox(inboxes.size(), tally, home, queue, flows, TAG_PLACES, SHARED_SLOTS));
      for (int j = i; j < Math.min(pairs, i + 6); j++) {
        Territory leftHome = territory();
        RcQueuePair left = connection(leftHome).receiveQueue(0).create();
        connect(left, connection(home).receiveFrom(queue).create());
        reliable(poster(left), leftHome, home, List.of(tags));
      }
    }
    note(2 * pairs, "RC over TM-SRQs");
  }

  // ---- unreliable services

  private void unreliableConnections(int pairs) {
    Shared shared = shared(territory(), Service.CONNECTION);
    for (int i = 0; i < pairs; i++) {
      boolean isShared = i % 4 == 0;
      Territory leftHome = territory();
      Territory rightHome = isShared ? shared.home() : territory();
      UcQueuePair left = unreliable(leftHome).create();
      UcQueuePair right =
          isShared
              ? unreliable(rightHome).receiveFrom(shared.queue()).create()
              : unreliable(rightHome).create();
      connect(left, right);
      Inbox leftInbox = own(leftHome, left, Service.CONNECTION);
      Inbox rightInbox = isShared ? shared.inbox() : own(rightHome, right, Service.CONNECTION);
      unreliable(poster(left), leftHome, rightHome, List.of(rightInbox), Service.CONNECTION);
      unreliable(poster(right), rightHome, leftHome, List.of(leftInbox), Service.CONNECTION);
    }
    note(2 * pairs, "UC");
  }

  private UcQueuePairBuilder unreliable(Territory territory) {
    return both(territory.domain().ucQueuePair(queue()))
        .receiveCompletions(queue())
        .inlineReceive(random.nextBoolean() ? 32 : 0);
  }

  private static Poster poster(UcQueuePair queuePair) {
    return new Poster(
        queuePair,
        target -> Stages.as(ReliableOperations.class, WriteOperations.class, queuePair),
        1);
  }

  private static Poster poster(UdQueuePair queuePair, List<AddressHandle> addresses) {
    return new Poster(
        queuePair,
        target ->
            Stages.as(
                ReliableOperations.class,
                MessageOperations.class,
                queuePair.to(addresses.get(target))),
        addresses.size());
  }

  /** A GID index; on Ethernet, one of RoCE v2 with IPv6 or IPv4, if there is one. */
  private int gidIndex() {
    int chosen = random.nextInt(2);
    return gidIndices.isEmpty() ? 0 : gidIndices.get(chosen % gidIndices.size());
  }

  private void datagrams(int count) {
    Shared shared = shared(territory(), Service.DATAGRAM);
    List<UdQueuePair> all = new ArrayList<>();
    List<Territory> homes = new ArrayList<>();
    List<Inbox> targets = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      boolean isShared = i % 4 == 0;
      Territory home = isShared ? shared.home() : territory();
      UdQueuePairBuilder plan =
          both(home.domain().udQueuePair(queue())).receiveCompletions(queue()).gidIndex(gidIndex());
      UdQueuePair queuePair = (isShared ? plan.receiveFrom(shared.queue()) : plan).create();
      all.add(queuePair);
      homes.add(home);
      targets.add(isShared ? shared.inbox() : own(home, queuePair, Service.DATAGRAM));
    }
    for (int i = 0; i < count; i++) {
      List<AddressHandle> addresses = new ArrayList<>();
      List<Inbox> reached = new ArrayList<>();
      UdQueuePair from = all.get(i);
      while (addresses.size() < 4) {
        int to = random.nextInt(count);
        if (all.get(to).endpoint().gid().equals(from.endpoint().gid())) {
          addresses.add(from.addressHandle(all.get(to).endpoint()));
          reached.add(targets.get(to));
        }
      }
      Territory home = homes.get(i);
      unreliable(poster(from, addresses), home, home, reached, Service.DATAGRAM);
    }
    note(count, "UD");
  }

  // ---- connections that name their destinations

  private void dynamicConnections(int initiators, int streaming, int count) {
    Territory home = territory();
    CompletionQueue received = queue();
    List<Shared> queues = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      queues.add(shared(home, Service.RELIABLE));
    }
    List<DcTarget> targets = new ArrayList<>();
    List<Inbox> reached = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Shared shared = queues.get(i % queues.size());
      targets.add(home.domain().dcTarget(received, shared.queue()).minRnrTimer(1).create());
      reached.add(shared.inbox());
    }
    for (int i = 0; i < initiators; i++) {
      Territory here = territory();
      DcInitiator initiator =
          sending(here.domain().dcInitiator(queue())).options(options().withPathMtu(0)).create();
      List<DcTargetAddress> addresses =
          targets.stream().map(target -> initiator.targetAddress(target.endpoint())).toList();
      reliable(
          new Poster(initiator, target -> initiator.target(addresses.get(target)), count),
          here,
          home,
          reached);
    }
    for (int i = 0; i < streaming; i++) {
      Territory here = territory();
      int streams = 2 << random.nextInt(3);
      DcStreamInitiator initiator =
          sending(here.domain().dcStreamInitiator(queue(), streams))
              .sendQueue(16)
              .options(options().withPathMtu(0))
              .create();
      List<DcTargetAddress> addresses =
          targets.stream().map(target -> initiator.targetAddress(target.endpoint())).toList();
      for (int stream = 0; stream < streams; stream++) {
        reliable(poster(initiator, stream, addresses), here, home, reached);
      }
    }
  }

  private static Poster poster(
      DcStreamInitiator initiator, int stream, List<DcTargetAddress> addresses) {
    return new Poster(
        initiator,
        target ->
            Stages.as(
                ReliableOperations.class,
                StreamOperations.class,
                initiator.stream(stream).target(addresses.get(target))),
        addresses.size());
  }

  private void extendedConnections(int pairs) {
    Territory home = territory();
    CompletionQueue received = queue();
    XrcDomain domain = device.allocateXrcDomain();
    List<XrcSharedReceiveQueue> queues = new ArrayList<>();
    List<Inbox> shared = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      XrcSharedReceiveQueue queue =
          home.domain()
              .xrcSharedReceiveQueue(domain, received)
              .requests(SHARED_SLOTS)
              .maxScatter(Request.MOST_PIECES)
              .create();
      queues.add(queue);
      shared.add(inbox(home, ReceiveQueue.of(queue), Service.RELIABLE, SHARED_SLOTS));
    }
    for (int i = 0; i < pairs; i++) {
      Territory here = territory();
      XrcInitiator initiator = sending(here.domain().xrcInitiator(queue())).create();
      XrcTarget target = domain.target().create();
      connect(target, initiator);
      reliable(
          new Poster(
              initiator,
              which -> initiator.toSharedReceives(queues.get(which).number()),
              queues.size()),
          here,
          home,
          shared);
    }
  }
}
