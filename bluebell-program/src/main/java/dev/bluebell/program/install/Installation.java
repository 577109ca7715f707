package dev.bluebell.program.install;

import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.image.Queue;
import dev.bluebell.program.image.Region;
import dev.bluebell.program.image.Ring;
import dev.bluebell.program.plan.Counter;
import dev.bluebell.program.plan.Entry;
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
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * A program on a device, for one call of one client: queues, memory and the program's bytes in
 * them. It runs when {@link #connect} has been called and the client sends its message. One thread
 * at a time.
 */
public final class Installation implements AutoCloseable {
  private static final Access[] ALL = {
    Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC
  };

  private final Plan plan;
  private final Deque<Runnable> closings = new ArrayDeque<>();
  private final Map<Counter, CompletionQueue> counters = new EnumMap<>(Counter.class);
  private final MasterQueuePair launcher;
  private final ManagedQueuePair worker;
  private final ManagedQueuePair client;
  private final MemoryRegion memory;
  private final ProgramImage image;

  private Installation(Device device, ProtectionDomain domain, Plan plan) {
    this.plan = plan;
    CompletionQueueOptions options = CompletionQueueOptions.DEFAULT.withIgnoreOverrun(true);
    for (Counter counter : Counter.values()) {
      counters.put(counter, keep(device.createCompletionQueue(1, options)));
    }
    launcher = keep(queue(domain, Lane.LAUNCHER).create());
    worker = keep(queue(domain, Lane.WORKER).managedSends().create());
    client = keep(queue(domain, Lane.CLIENT).managedSends().create());
    memory = keep(domain.allocate(Math.max(1, plan.memoryBytes()), ALL));
    image = ImageBuilder.build(plan, placement());
    write();
    for (CrossChannelQueuePair looped : new CrossChannelQueuePair[] {launcher, worker}) {
      looped.connect(looped.endpoint(), ConnectOptions.DEFAULT);
    }
  }

  /**
   * Installs a plan.
   *
   * @param domain of the device, for all that the program is made of
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  public static Installation install(Device device, ProtectionDomain domain, Plan plan) {
    return new Installation(device, domain, plan);
  }

  private CompletionQueue keep(CompletionQueue queue) {
    closings.push(queue::close);
    return queue;
  }

  private <Q extends CrossChannelQueuePair> Q keep(Q pair) {
    closings.push(pair::close);
    return pair;
  }

  private MemoryRegion keep(MemoryRegion region) {
    closings.push(region::close);
    return region;
  }

  // ---- places

  private CrossChannelBuilder queue(ProtectionDomain domain, Lane lane) {
    return domain
        .rcQueuePair(counter(Counter.of(lane)))
        .receiveCompletions(counter(lane == Lane.CLIENT ? Counter.CALLS : Counter.of(lane)))
        // One slot more than there are entries: a queue that is posted to must not be full of them.
        .sendQueue(plan.wqebbs(lane) + 1)
        .receiveQueue(1)
        .maxScatter(Math.max(1, plan.message().size()))
        .crossChannel();
  }

  private CompletionQueue counter(Counter counter) {
    return Objects.requireNonNull(counters.get(counter));
  }

  private Placement placement() {
    Map<Lane, Placement.Queue> queues = new EnumMap<>(Lane.class);
    for (Lane lane : Lane.values()) {
      CrossChannelQueuePair pair = queue(lane);
      int peer = lane == Lane.CLIENT ? Queue.CLIENT : pair.number();
      MemoryRegion ring = keep(pair.sendQueueMemory(ALL));
      queues.put(
          lane,
          new Placement.Queue(pair.number(), peer, slots(ring, ControlSegment.LOG_WQEBB_BYTES)));
    }
    Map<Counter, Integer> numbers = new EnumMap<>(Counter.class);
    counters.forEach((counter, queue) -> numbers.put(counter, queue.number()));
    MemoryRegion receives = keep(client.receiveQueueMemory());
    int stride = log2((int) receives.length() / client.receiveQueueRequests());
    return new Placement(queues, numbers, slots(receives, stride), range(memory));
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
      case WORKER -> worker;
      case CLIENT -> client;
    };
  }

  private void write() {
    Region content = image.regionOfLkey(memory.lkey()).orElseThrow();
    memory.segment().copyFrom(MemorySegment.ofArray(content.bytes()));
    for (ManagedQueuePair managed : new ManagedQueuePair[] {worker, client}) {
      Ring ring = image.queue(managed.number()).orElseThrow().send();
      managed.install(MemorySegment.ofArray(ring.region().bytes()));
    }
    Ring receives = Objects.requireNonNull(image.queue(client.number()).orElseThrow().receive());
    client.installReceives(MemorySegment.ofArray(receives.region().bytes()), receives.posted());
  }

  // ---- use

  /** Where the client connects to. */
  public QueuePairEndpoint endpoint() {
    return client.endpoint();
  }

  /**
   * Connects to the client and starts to wait for its message.
   *
   * @param remote the client's queue pair, which must have receives for the responses
   */
  public void connect(QueuePairEndpoint remote) {
    client.connect(remote, ConnectOptions.DEFAULT);
    for (Entry entry : plan.queue(Lane.LAUNCHER)) {
      switch (entry.action()) {
        case Entry.Wait wait ->
            launcher.waitFor(counter(wait.counter()), wait.completion()).unsignaled(0);
        case Entry.Enable enable ->
            launcher
                .enableSends(enable.target() == Lane.WORKER ? worker : client, enable.limit())
                .unsignaled(0);
        case Entry.Work work ->
            throw new IllegalArgumentException("%s is none of the launcher".formatted(work));
      }
    }
    launcher.ringDoorbell();
  }

  /** What is installed. */
  public ProgramImage image() {
    return image;
  }

  /** The program's memory: {@link Plan#offset} says where in it an area starts. */
  public MemoryRegion memory() {
    return memory;
  }

  /** Where completions of one kind are counted; errors of a program's queues are found there. */
  public CompletionQueue completions(Counter of) {
    return counter(of);
  }

  @Override
  public void close() {
    while (!closings.isEmpty()) {
      closings.pop().run();
    }
  }
}
