package dev.bluebell.conformance.traffic;

import dev.bluebell.conformance.traffic.Inbox.Service;
import dev.bluebell.hca.LinkLayer;
import dev.bluebell.verbs.AddressHandle;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionQueueOptions;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.DcInitiator;
import dev.bluebell.verbs.DcStreamInitiator;
import dev.bluebell.verbs.DcTarget;
import dev.bluebell.verbs.DcTargetAddress;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.RcQueuePairBuilder;
import dev.bluebell.verbs.RelaxedRcQueuePair;
import dev.bluebell.verbs.SharedReceiveQueue;
import dev.bluebell.verbs.TagMatchingReceiveQueue;
import dev.bluebell.verbs.UcQueuePair;
import dev.bluebell.verbs.UcQueuePairBuilder;
import dev.bluebell.verbs.UdQueuePair;
import dev.bluebell.verbs.UdQueuePairBuilder;
import dev.bluebell.verbs.XrcDomain;
import dev.bluebell.verbs.XrcInitiator;
import dev.bluebell.verbs.XrcSharedReceiveQueue;
import dev.bluebell.verbs.XrcTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Queue pairs of all kinds, their flows and inboxes. */
final class Population {
  /** Inline bytes that every queue pair takes. */
  static final int MOST_INLINE = 28;

  private static final int TERRITORIES = 4;
  private static final int TERRITORY_BYTES = 24 << 20;
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
   * Code of the ACK timeout elsewhere, 0.5 s: on a busy machine, the turns of so many queue pairs
   * may take longer than eight short ones.
   */
  private static final int LONG_TIMEOUT = 17;

  /** Longest message of a datagram, and of others. */
  private static final int DATAGRAM_BYTES = 1024;

  private static final int MESSAGE_BYTES = 2000;

  private final Device device;
  private final SplittableRandom random;
  private final Tally tally;
  private final int timeout;
  private final List<Territory> territories = new ArrayList<>();
  private final List<CompletionQueue> completions = new ArrayList<>();
  private final List<CompletionQueue> large = new ArrayList<>();
  private final List<Flow> flows = new ArrayList<>();
  private final List<Inbox> inboxes = new ArrayList<>();
  private final StringBuilder description = new StringBuilder();
  private int queuePairs;

  /**
   * @param loses true when requests may be lost, so that some wait for the ACK timeout
   */
  Population(Device device, SplittableRandom random, Tally tally, boolean loses) {
    this.device = device;
    this.random = random;
    this.tally = tally;
    timeout = loses ? SHORT_TIMEOUT : LONG_TIMEOUT;
    for (int i = 0; i < TERRITORIES; i++) {
      territories.add(new Territory(device.allocateProtectionDomain(), TERRITORY_BYTES, random));
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

  /**
   * A thousand queue pairs, as far as the device has them.
   *
   * @param streams true when it has initiators of dynamic connections with streams
   */
  void settle(boolean streams) {
    connections(110);
    connectionsToSharedQueues(40);
    if (device.attributes().maxTags() > 0) {
      connectionsToTags(24);
    }
    relaxedConnections(50);
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

  /** How many there are of each kind. */
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

  private ConnectOptions options() {
    return ConnectOptions.DEFAULT
        .withPathMtu(256 << random.nextInt(4))
        .withMaxReads(1 << random.nextInt(5))
        .withTimeout(timeout)
        .withMinRnrTimer(1);
  }

  private Inbox own(Territory territory, ReceiveQueue queue, Service service) {
    return add(new Inbox(inboxes.size(), tally, territory, queue, flows, service, OWN_SLOTS));
  }

  private Inbox shared(Territory territory, ReceiveQueue queue, Service service) {
    return add(new Inbox(inboxes.size(), tally, territory, queue, flows, service, SHARED_SLOTS));
  }

  private <I extends Inbox> I add(I inbox) {
    inboxes.add(inbox);
    return inbox;
  }

  private void reliable(
      Poster poster, Territory here, Territory there, List<? extends Inbox> targets) {
    if (flows.size() == Mark.MOST_FLOWS) {
      throw new IllegalStateException("there are %d flows already".formatted(flows.size()));
    }
    flows.add(new ReliableFlow(flows.size(), poster, tally, here, there, targets));
  }

  private void unreliable(
      UnreliablePoster poster, Territory here, Territory there, List<Inbox> targets, int most) {
    flows.add(new UnreliableFlow(flows.size(), poster, tally, here, there, targets, most));
  }

  // ---- reliable connections

  private RcQueuePairBuilder connection(Territory territory) {
    return territory
        .domain()
        .rcQueuePair(queue())
        .sendQueue(4 << random.nextInt(3))
        .maxGather(Request.MOST_PIECES)
        .maxInline(MOST_INLINE)
        .receiveQueue(OWN_SLOTS)
        .maxScatter(2)
        .nopFill(random.nextBoolean())
        .blueFlame(random.nextBoolean());
  }

  /** With messages inside completions, sometimes. */
  private RcQueuePairBuilder receiving(RcQueuePairBuilder plan) {
    return switch (random.nextInt(3)) {
      case 0 -> plan.receiveCompletions(queue());
      case 1 -> plan.receiveCompletions(queue()).inlineReceive(32);
      default -> plan.receiveCompletions(large.get(random.nextInt(large.size()))).inlineReceive(64);
    };
  }

  private static ReliablePoster poster(RcQueuePair queuePair) {
    return new ReliablePoster(queuePair, target -> queuePair, 1);
  }

  private void connections(int pairs) {
    for (int i = 0; i < pairs; i++) {
      Territory leftHome = territory();
      Territory rightHome = territory();
      RcQueuePair left = receiving(connection(leftHome)).create();
      RcQueuePair right = receiving(connection(rightHome)).create();
      ConnectOptions options = options();
      left.connect(right.endpoint(), options);
      right.connect(left.endpoint(), options);
      Inbox leftInbox = own(leftHome, ReceiveQueue.of(left), Service.RELIABLE);
      Inbox rightInbox = own(rightHome, ReceiveQueue.of(right), Service.RELIABLE);
      reliable(poster(left), leftHome, rightHome, List.of(rightInbox));
      reliable(poster(right), rightHome, leftHome, List.of(leftInbox));
    }
    note(2 * pairs, "RC");
  }

  private void connectionsToSharedQueues(int pairs) {
    List<Territory> homes = new ArrayList<>();
    List<SharedReceiveQueue> queues = new ArrayList<>();
    List<Inbox> shared = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Territory home = territory();
      SharedReceiveQueue queue =
          home.domain().sharedReceiveQueue().requests(SHARED_SLOTS).maxScatter(2).create();
      homes.add(home);
      queues.add(queue);
      shared.add(shared(home, ReceiveQueue.of(queue), Service.RELIABLE));
    }
    for (int i = 0; i < pairs; i++) {
      int which = random.nextInt(queues.size());
      Territory leftHome = territory();
      Territory rightHome = homes.get(which);
      RcQueuePair left = connection(leftHome).create();
      RcQueuePair right = receiving(connection(rightHome)).receiveFrom(queues.get(which)).create();
      ConnectOptions options = options();
      left.connect(right.endpoint(), options);
      right.connect(left.endpoint(), options);
      Inbox leftInbox = own(leftHome, ReceiveQueue.of(left), Service.RELIABLE);
      reliable(poster(left), leftHome, rightHome, List.of(shared.get(which)));
      reliable(poster(right), rightHome, leftHome, List.of(leftInbox));
    }
    note(2 * pairs, "RC over SRQs");
  }

  private void connectionsToTags(int pairs) {
    Territory home = territory();
    TagMatchingReceiveQueue queue = null;
    TagInbox tags = null;
    for (int i = 0; i < pairs; i++) {
      if (queue == null || tags == null || i % 6 == 0) {
        home = territory();
        queue =
            home.domain()
                .tagMatchingReceiveQueue(queue())
                .tags(TAG_PLACES)
                .operations(64)
                .requests(SHARED_SLOTS)
                .maxScatter(2)
                .create();
        tags =
            add(new TagInbox(inboxes.size(), tally, home, queue, flows, TAG_PLACES, SHARED_SLOTS));
      }
      Territory leftHome = territory();
      RcQueuePair left = connection(leftHome).receiveQueue(0).create();
      RcQueuePair right = connection(home).receiveFrom(queue).create();
      ConnectOptions options = options();
      left.connect(right.endpoint(), options);
      right.connect(left.endpoint(), options);
      reliable(poster(left), leftHome, home, List.of(tags));
    }
    note(2 * pairs, "RC over TM-SRQs");
  }

  private void relaxedConnections(int pairs) {
    for (int i = 0; i < pairs; i++) {
      Territory leftHome = territory();
      Territory rightHome = territory();
      RelaxedRcQueuePair left = receiving(connection(leftHome)).relaxedOrdering().create();
      RelaxedRcQueuePair right = receiving(connection(rightHome)).relaxedOrdering().create();
      ConnectOptions options = options();
      left.connect(right.endpoint(), options);
      right.connect(left.endpoint(), options);
      Inbox leftInbox = own(leftHome, ReceiveQueue.of(left), Service.RELIABLE);
      Inbox rightInbox = own(rightHome, ReceiveQueue.of(right), Service.RELIABLE);
      reliable(new RelaxedPoster(left), leftHome, rightHome, List.of(rightInbox));
      reliable(new RelaxedPoster(right), rightHome, leftHome, List.of(leftInbox));
    }
    note(2 * pairs, "relaxed RC");
  }

  // ---- unreliable services

  private void unreliableConnections(int pairs) {
    Territory sharedHome = territory();
    SharedReceiveQueue sharedQueue =
        sharedHome.domain().sharedReceiveQueue().requests(SHARED_SLOTS).maxScatter(2).create();
    Inbox shared = shared(sharedHome, ReceiveQueue.of(sharedQueue), Service.CONNECTION);
    for (int i = 0; i < pairs; i++) {
      boolean isShared = i % 4 == 0;
      Territory leftHome = territory();
      Territory rightHome = isShared ? sharedHome : territory();
      UcQueuePair left = unreliable(leftHome).create();
      UcQueuePair right =
          isShared
              ? unreliable(rightHome).receiveFrom(sharedQueue).create()
              : unreliable(rightHome).create();
      ConnectOptions options = options();
      left.connect(right.endpoint(), options);
      right.connect(left.endpoint(), options);
      Inbox leftInbox = own(leftHome, ReceiveQueue.of(left), Service.CONNECTION);
      Inbox rightInbox =
          isShared ? shared : own(rightHome, ReceiveQueue.of(right), Service.CONNECTION);
      unreliable(
          new UnreliablePoster(left), leftHome, rightHome, List.of(rightInbox), MESSAGE_BYTES);
      unreliable(
          new UnreliablePoster(right), rightHome, leftHome, List.of(leftInbox), MESSAGE_BYTES);
    }
    note(2 * pairs, "UC");
  }

  private UcQueuePairBuilder unreliable(Territory territory) {
    return territory
        .domain()
        .ucQueuePair(queue())
        .receiveCompletions(queue())
        .sendQueue(4 << random.nextInt(3))
        .maxGather(Request.MOST_PIECES)
        .maxInline(MOST_INLINE)
        .receiveQueue(OWN_SLOTS)
        .maxScatter(2)
        .inlineReceive(random.nextBoolean() ? 32 : 0);
  }

  /** On Ethernet, one of RoCE v2: of IPv6 or of IPv4. */
  private int gidIndex() {
    int ofRoce = 1 + 2 * random.nextInt(2);
    return device.port(1).linkLayer() == LinkLayer.INFINIBAND ? 0 : ofRoce;
  }

  private void datagrams(int count) {
    Territory sharedHome = territory();
    SharedReceiveQueue sharedQueue =
        sharedHome.domain().sharedReceiveQueue().requests(SHARED_SLOTS).maxScatter(2).create();
    Inbox shared = shared(sharedHome, ReceiveQueue.of(sharedQueue), Service.DATAGRAM);
    List<UdQueuePair> all = new ArrayList<>();
    List<Territory> homes = new ArrayList<>();
    List<Inbox> targets = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      boolean isShared = i % 4 == 0;
      Territory home = isShared ? sharedHome : territory();
      UdQueuePairBuilder plan =
          home.domain()
              .udQueuePair(queue())
              .receiveCompletions(queue())
              .sendQueue(4 << random.nextInt(3))
              .maxGather(Request.MOST_PIECES)
              .maxInline(MOST_INLINE)
              .receiveQueue(OWN_SLOTS)
              .maxScatter(2)
              .gidIndex(gidIndex());
      UdQueuePair queuePair = (isShared ? plan.receiveFrom(sharedQueue) : plan).create();
      all.add(queuePair);
      homes.add(home);
      targets.add(isShared ? shared : own(home, ReceiveQueue.of(queuePair), Service.DATAGRAM));
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
      unreliable(new UnreliablePoster(from, addresses), home, home, reached, DATAGRAM_BYTES);
    }
    note(count, "UD");
  }

  // ---- connections that name their destinations

  private void dynamicConnections(int initiators, int streaming, int count) {
    Territory home = territory();
    CompletionQueue received = queue();
    List<SharedReceiveQueue> queues = new ArrayList<>();
    List<Inbox> shared = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      SharedReceiveQueue queue =
          home.domain().sharedReceiveQueue().requests(SHARED_SLOTS).maxScatter(2).create();
      queues.add(queue);
      shared.add(shared(home, ReceiveQueue.of(queue), Service.RELIABLE));
    }
    List<DcTarget> targets = new ArrayList<>();
    List<Inbox> reached = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int which = i % queues.size();
      targets.add(home.domain().dcTarget(received, queues.get(which)).minRnrTimer(1).create());
      reached.add(shared.get(which));
    }
    for (int i = 0; i < initiators; i++) {
      Territory here = territory();
      DcInitiator initiator =
          here.domain()
              .dcInitiator(queue())
              .sendQueue(4 << random.nextInt(3))
              .maxGather(Request.MOST_PIECES)
              .maxInline(MOST_INLINE)
              .options(options().withPathMtu(0))
              .create();
      List<DcTargetAddress> addresses = new ArrayList<>();
      targets.forEach(target -> addresses.add(initiator.targetAddress(target.endpoint())));
      reliable(
          new ReliablePoster(
              initiator, target -> initiator.target(addresses.get(target)), addresses.size()),
          here,
          home,
          reached);
    }
    for (int i = 0; i < streaming; i++) {
      Territory here = territory();
      int streams = 2 << random.nextInt(3);
      DcStreamInitiator initiator =
          here.domain()
              .dcStreamInitiator(queue(), streams)
              .sendQueue(16)
              .maxGather(Request.MOST_PIECES)
              .maxInline(MOST_INLINE)
              .options(options().withPathMtu(0))
              .create();
      List<DcTargetAddress> addresses = new ArrayList<>();
      targets.forEach(target -> addresses.add(initiator.targetAddress(target.endpoint())));
      for (int stream = 0; stream < streams; stream++) {
        reliable(
            new StreamPoster(initiator, initiator.stream(stream), addresses), here, home, reached);
      }
    }
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
              .maxScatter(2)
              .create();
      queues.add(queue);
      shared.add(shared(home, ReceiveQueue.of(queue), Service.RELIABLE));
    }
    for (int i = 0; i < pairs; i++) {
      Territory here = territory();
      XrcInitiator initiator =
          here.domain()
              .xrcInitiator(queue())
              .sendQueue(4 << random.nextInt(3))
              .maxGather(Request.MOST_PIECES)
              .maxInline(MOST_INLINE)
              .create();
      XrcTarget target = domain.target().create();
      ConnectOptions options = options();
      target.connect(initiator.endpoint(), options);
      initiator.connect(target.endpoint(), options);
      reliable(
          new ReliablePoster(
              initiator,
              which -> initiator.toSharedReceives(queues.get(which).number()),
              queues.size()),
          here,
          home,
          shared);
    }
  }
}
