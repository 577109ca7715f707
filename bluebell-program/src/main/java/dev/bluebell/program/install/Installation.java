package dev.bluebell.program.install;

import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.program.Data;
import dev.bluebell.program.Program;
import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.image.Queue;
import dev.bluebell.program.image.Region;
import dev.bluebell.program.image.Right;
import dev.bluebell.program.image.Ring;
import dev.bluebell.program.plan.Area;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.Counter;
import dev.bluebell.program.plan.ImageBuilder;
import dev.bluebell.program.plan.Lane;
import dev.bluebell.program.plan.Placement;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionQueueOptions;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.CrossChannelBuilder;
import dev.bluebell.verbs.CrossChannelQueuePair;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ManagedQueuePair;
import dev.bluebell.verbs.MasterQueuePair;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.QueuePairEndpoint;
import dev.bluebell.verbs.QueuePairState;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A program on a device, for one client: queues, memory and the program's bytes in them. After
 * {@link #connect}, the client's message starts it; if the plan is for {@link Calls#MANY}, each
 * further message starts it again. Not thread-safe.
 */
public final class Installation implements AutoCloseable {
  /** Rights of queues that are connected to themselves; all other peers may only send. */
  private static final Access[] PEER = {
    Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC
  };

  private static final Access[] NOTHING = {};

  private static final ValueLayout.OfLong POINTER =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private final Plan plan;
  private final Closings closings = new Closings();
  private final Map<Counter, CompletionQueue> counters = new EnumMap<>(Counter.class);
  private final MasterQueuePair launcher;
  private final ManagedQueuePair client;

  /** Receives messages: the client's queue pair, or a separate one in a chain. */
  private final ManagedQueuePair entry;

  /** The managed queues that are connected to themselves: worker, loop and subprogram. */
  private final Map<Lane, ManagedQueuePair> workers = new EnumMap<>(Lane.class);

  private final List<MemoryRegion> regions = new ArrayList<>();
  private final MemoryRegion words;
  private final Map<Area, MemoryRegion> data = new HashMap<>();
  private final ProgramImage image;

  private Installation(
      Device device,
      ProtectionDomain domain,
      Plan plan,
      SharedData shared,
      boolean link,
      Function<Placement, ProgramImage> bytes) {
    this.plan = plan;
    try {
      CompletionQueueOptions options = CompletionQueueOptions.DEFAULT.withIgnoreOverrun(true);
      for (Counter counter : plan.counters()) {
        counters.put(counter, keep(device.createCompletionQueue(most(counter), options)));
      }
      launcher = keep(queue(domain, Lane.LAUNCHER).create());
      for (Lane lane : plan.lanes()) {
        if (lane.isWorker()) {
          workers.put(lane, keep(queue(domain, lane).managedSends().create()));
        }
      }
      client = keep(queue(domain, Lane.CLIENT).managedSends().create());
      entry = link ? keep(queue(domain, Lane.CLIENT).managedSends().create()) : client;
      words = keep(domain.allocate(plan.wordBytes(), access(plan.wordRights())));
      List<MemoryRegion> own = new ArrayList<>(List.of(words));
      for (Area area : plan.data()) {
        MemoryRegion common = shared.find(area);
        if (common == null) {
          common = keep(domain.allocate(Math.max(1, area.bytes()), access(plan.rights(area))));
          own.add(common);
        } else {
          regions.add(common);
        }
        data.put(area, common);
      }
      ProgramImage made = bytes.apply(placement());
      image = link ? made.withEntry("entry", entry.number(), entryRing()) : made;
      own.forEach(this::write);
      writeRings();
      for (Lane lane : plan.lanes()) {
        if (lane != Lane.CLIENT) {
          CrossChannelQueuePair looped = queue(lane);
          looped.connect(looped.endpoint(), ConnectOptions.DEFAULT);
        }
      }
    } catch (RuntimeException | Error e) {
      closings.closeAfter(e);
      throw e;
    }
  }

  /**
   * Installs a plan.
   *
   * @param domain a domain of the device, for all objects of the program
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  public static Installation install(Device device, ProtectionDomain domain, Plan plan) {
    return install(device, domain, plan, SharedData.none());
  }

  /**
   * Installs a plan that shares data with other installations. Closing the installation does not
   * affect that data.
   *
   * @param domain a domain of the device, for all objects of the program
   * @param shared data of the same domain, by name; all other data is the program's own
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  public static Installation install(
      Device device, ProtectionDomain domain, Plan plan, SharedData shared) {
    return new Installation(
        device, domain, plan, shared, false, placement -> ImageBuilder.build(plan, placement));
  }

  /**
   * Installs a plan as a link of a chain: one queue pair sends its message, another receives its
   * answers.
   *
   * @param domain a domain of the device, for all objects of the program
   * @throws IllegalArgumentException for a plan of many calls, which would not end with the
   *     connection for its messages
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  public static Installation installLink(Device device, ProtectionDomain domain, Plan plan) {
    if (plan.calls() != Calls.ONE) {
      throw new IllegalArgumentException(
          "%s is for many calls; a link of a chain is for one".formatted(plan.name()));
    }
    return new Installation(
        device,
        domain,
        plan,
        SharedData.none(),
        true,
        placement -> ImageBuilder.build(plan, placement));
  }

  /**
   * Installs an image, which alone determines the content of queues and memory.
   *
   * @param domain a domain of the device, for all objects of the program
   * @param plan determines the sizes of queues and memory, and the rights of keys
   * @param bytes creates the image, once numbers, keys and addresses are known
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  public static Installation install(
      Device device, ProtectionDomain domain, Plan plan, Function<Placement, ProgramImage> bytes) {
    return new Installation(device, domain, plan, SharedData.none(), false, bytes);
  }

  /**
   * Maximum number of completions in a call: at most one per entry. A ring of this size loses none
   * if it is polled between calls, except for a loop, whose laps no number bounds.
   */
  private int most(Counter counter) {
    int entries = Math.max(1, plan.queue(counter.lane()).size());
    return switch (counter) {
      // The receive for the next message may end with an error before this one is polled.
      case CALLS -> plan.calls() == Calls.ONE ? 1 : 2;
      case SUBPROGRAM -> entries * plan.calledTimes();
      case LAUNCHER, WORKER, CLIENT, LOOP, SECOND_LOOP -> entries;
    };
  }

  private CompletionQueue keep(CompletionQueue queue) {
    closings.add(queue::close);
    return queue;
  }

  private <Q extends CrossChannelQueuePair> Q keep(Q pair) {
    closings.add(pair::close);
    return pair;
  }

  private MemoryRegion keep(MemoryRegion region) {
    closings.add(region::close);
    regions.add(region);
    return region;
  }

  // ---- rights

  static Access[] access(Set<Right> rights) {
    return rights.stream().map(Installation::access).toArray(Access[]::new);
  }

  private static Access access(Right right) {
    return switch (right) {
      case LOCAL_WRITE -> Access.LOCAL_WRITE;
      case REMOTE_READ -> Access.REMOTE_READ;
      case REMOTE_WRITE -> Access.REMOTE_WRITE;
      case REMOTE_ATOMIC -> Access.REMOTE_ATOMIC;
    };
  }

  // ---- places

  private CrossChannelBuilder queue(ProtectionDomain domain, Lane lane) {
    return domain
        .rcQueuePair(counter(Counter.of(lane)))
        .receiveCompletions(counter(lane == Lane.CLIENT ? Counter.CALLS : Counter.of(lane)))
        .access(lane.isWorker() ? PEER : NOTHING)
        .sendQueue(slots(lane))
        .receiveQueue(1)
        .maxScatter(Math.max(1, plan.message().size()))
        .crossChannel();
  }

  private int slots(Lane lane) {
    // One slot more than there are entries: a queue that is posted to must not be full of them.
    return Math.max(1, plan.wqebbs(lane) + (lane.isManaged() ? 0 : 1));
  }

  private CompletionQueue counter(Counter counter) {
    return Objects.requireNonNull(counters.get(counter));
  }

  private Placement placement() {
    Map<Lane, Placement.Queue> queues = new EnumMap<>(Lane.class);
    for (Lane lane : plan.lanes()) {
      CrossChannelQueuePair pair = queue(lane);
      int peer = lane == Lane.CLIENT ? Queue.CLIENT : pair.number();
      MemoryRegion ring = keep(pair.sendQueueMemory(access(plan.rights(lane))));
      queues.put(
          lane,
          new Placement.Queue(pair.number(), peer, slots(ring, ControlSegment.LOG_WQEBB_BYTES)));
    }
    Map<Counter, Integer> numbers = new EnumMap<>(Counter.class);
    counters.forEach((counter, queue) -> numbers.put(counter, queue.number()));
    MemoryRegion receives = keep(entry.receiveQueueMemory());
    int stride = log2((int) receives.length() / entry.receiveQueueRequests());
    MemoryRegion record = keep(entry.receiveRecordMemory(access(plan.recordRights())));
    Map<Area, Placement.Range> regions = new HashMap<>();
    data.forEach((area, region) -> regions.put(area, range(region)));
    return new Placement(
        queues, numbers, slots(receives, stride), range(record), range(words), regions);
  }

  private Ring entryRing() {
    MemoryRegion memory = keep(entry.sendQueueMemory());
    Region region =
        new Region(
            "entry sends",
            Region.Owner.PROGRAM,
            memory.address(),
            new byte[(int) memory.length()],
            memory.lkey(),
            memory.rkey(),
            Set.of());
    int slots = log2(region.length()) - ControlSegment.LOG_WQEBB_BYTES;
    return new Ring(region, 0, ControlSegment.LOG_WQEBB_BYTES, slots, 0);
  }

  private static Placement.Slots slots(MemoryRegion ring, int logStride) {
    return new Placement.Slots(range(ring), logStride, log2((int) ring.length()) - logStride);
  }

  private static Placement.Range range(MemoryRegion region) {
    return new Placement.Range(region.address(), region.lkey(), region.rkey());
  }

  private static int log2(int powerOfTwo) {
    return Integer.numberOfTrailingZeros(powerOfTwo);
  }

  private CrossChannelQueuePair queue(Lane lane) {
    return switch (lane) {
      case LAUNCHER -> launcher;
      case CLIENT -> client;
      case WORKER, LOOP, SECOND_LOOP, SUBPROGRAM -> Objects.requireNonNull(workers.get(lane));
    };
  }

  private void writeRings() {
    Stream.concat(Stream.of(client), workers.values().stream())
        .forEach(managed -> managed.install(content(ring(managed))));
    Ring receives = Objects.requireNonNull(image.queue(entry.number()).orElseThrow().receive());
    entry.installReceives(content(receives), receives.posted());
  }

  private Ring ring(CrossChannelQueuePair pair) {
    return image.queue(pair.number()).orElseThrow().send();
  }

  private static MemorySegment content(Ring ring) {
    return MemorySegment.ofArray(ring.region().bytes());
  }

  private void write(MemoryRegion region) {
    Region content = image.regionOfLkey(region.lkey()).orElseThrow();
    region.segment().copyFrom(MemorySegment.ofArray(content.bytes()));
  }

  // ---- use

  /** Endpoint for the client to connect to, which receives its messages. */
  public QueuePairEndpoint endpoint() {
    return entry.endpoint();
  }

  /** Endpoint that sends answers: {@link #endpoint}, except in a link of a chain. */
  public QueuePairEndpoint answers() {
    return client.endpoint();
  }

  /**
   * Connects to the client; the program then waits for its message.
   *
   * @param remote the client's queue pair, which must have receives for the responses
   */
  public void connect(QueuePairEndpoint remote) {
    connect(remote, remote);
  }

  /**
   * Connects a link of a chain; the program then waits for its message.
   *
   * @param before the queue pair that sends the message
   * @param behind the queue pair that receives the answers, which must have receives for them
   */
  public void connect(QueuePairEndpoint before, QueuePairEndpoint behind) {
    entry.connect(before, ConnectOptions.DEFAULT);
    if (!entry.equals(client)) {
      client.connect(behind, ConnectOptions.DEFAULT);
    }
    start();
  }

  /**
   * Starts the program without a client: it waits for the message of one that connects to {@link
   * #endpoint} later, as clients of a program that was handed over do.
   */
  public void start() {
    Ring ring = ring(launcher);
    launcher.install(content(ring), ring.posted());
  }

  public ProgramImage image() {
    return image;
  }

  /** The region of an area, which starts at {@link Plan#offset} in it. */
  public MemoryRegion region(Area area) {
    return area.isData() ? Objects.requireNonNull(data.get(area)) : words;
  }

  /** All memory that entries may access: areas and rings. */
  public List<MemoryRegion> regions() {
    return List.copyOf(regions);
  }

  /** Addresses of the program's data. */
  public Map<Data, Long> addresses(Program program) {
    Map<Data, Long> addresses = new LinkedHashMap<>();
    for (Data data : program.data()) {
      addresses.put(data, region(plan.area(data.name())).address());
    }
    return addresses;
  }

  /** Replaces the data, between two calls, by that of a program with the same code. */
  public void fill(Program program) {
    Map<Data, Long> addresses = addresses(program);
    for (Data each : program.data()) {
      MemorySegment to = region(plan.area(each.name())).segment();
      to.asSlice(0, each.bytes()).copyFrom(MemorySegment.ofArray(each.content()));
      each.pointers()
          .forEach(
              (at, target) ->
                  to.set(
                      POINTER,
                      at,
                      Objects.requireNonNull(addresses.get(target.data())) + target.offset()));
    }
  }

  /**
   * Completion queue that counts completions of one kind, including errors of the program's queues.
   * It holds those of one call: if it is not polled between calls, the program continues, but the
   * queue's content is meaningless. This also applies to the queue of a loop that made more laps
   * than it has room for; {@link #failure} finds the errors of such a loop.
   */
  public CompletionQueue completions(Counter of) {
    return counter(of);
  }

  /**
   * The device's explanation why one of the program's queues is in the error state; empty when no
   * queue is. It asks the device, so completions that were overwritten do not matter. If the queue
   * of the client is among several that failed, its explanation comes first, and those of the
   * others follow: when a client breaks its connection, the program runs once more, with the inputs
   * of the call before. But the client's queue may also have failed after another one.
   *
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  public Optional<String> failure() {
    List<Lane> failed = plan.lanes().stream().filter(lane -> hasFailed(queue(lane))).toList();
    List<String> clients =
        Stream.<CrossChannelQueuePair>of(entry, client)
            .distinct()
            .filter(Installation::hasFailed)
            .map(CrossChannelQueuePair::diagnose)
            .toList();
    if (!clients.isEmpty()) {
      List<String> others =
          failed.stream()
              .filter(lane -> lane != Lane.CLIENT)
              .map(lane -> "%s: %s".formatted(lane.text(), queue(lane).diagnose()))
              .toList();
      return Optional.of(String.join(" ", clients) + others(others));
    }
    return failed.stream().findFirst().map(lane -> queue(lane).diagnose());
  }

  private static boolean hasFailed(CrossChannelQueuePair pair) {
    return pair.query().state() == QueuePairState.ERROR;
  }

  private static String others(List<String> explanations) {
    return explanations.isEmpty()
        ? ""
        : " Also in the error state: %s (If the client's queue failed first, the others may have failed because of that: when a client breaks its connection, the program runs once more, with the inputs of the call before, or zeros if there was none.)"
            .formatted(String.join(" ", explanations));
  }

  @Override
  public void close() {
    closings.close();
  }
}
