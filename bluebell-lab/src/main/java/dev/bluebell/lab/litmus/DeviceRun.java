package dev.bluebell.lab.litmus;

import dev.bluebell.lab.litmus.Action.Atomic;
import dev.bluebell.lab.litmus.Action.Await;
import dev.bluebell.lab.litmus.Action.Change;
import dev.bluebell.lab.litmus.Action.Get;
import dev.bluebell.lab.litmus.Action.Load;
import dev.bluebell.lab.litmus.Action.Locked;
import dev.bluebell.lab.litmus.Action.Poll;
import dev.bluebell.lab.litmus.Action.Put;
import dev.bluebell.lab.litmus.Action.RemoteFence;
import dev.bluebell.lab.litmus.Action.Request;
import dev.bluebell.lab.litmus.Action.Store;
import dev.bluebell.lab.litmus.Action.StoreFence;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.EngineMode;
import dev.bluebell.softnic.option.ManualClock;
import dev.bluebell.softnic.option.ReorderOptions;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.AtomicScatter;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.RemoteMemory;
import dev.bluebell.verbs.RequestModifiers;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs litmus tests on the software ConnectX, through the driver. One thread steps the device, its
 * clock and the threads of the tests, in an order that a seed determines. A store or request first
 * goes to a store buffer, as on TSO, and takes effect when the seed lets it leave.
 */
final class DeviceRun implements AutoCloseable {
  /** Distance of locations: pieces of payload that are delayed separately have this length. */
  private static final int APART = 256;

  private static final int ROOM = 16 * APART;

  private static final long LONGEST_DELAY = TimeUnit.MICROSECONDS.toNanos(20);
  private static final int MAX_LOG_PACE = 6;
  private static final int MAX_STEPS = 200_000;
  private static final Access[] ORDERED = {
    Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC
  };
  private static final Access[] RELAXED = {
    Access.LOCAL_WRITE,
    Access.REMOTE_WRITE,
    Access.REMOTE_READ,
    Access.REMOTE_ATOMIC,
    Access.RELAXED_ORDERING
  };

  private final ManualClock clock = new ManualClock();
  private final SplittableRandom random;
  private final SoftNic nic;
  private final Device device;
  private final ProtectionDomain domain;
  private final MemoryRegion memory;

  // Queue pairs by thread and node, shared by all tests because creating them is slow.
  private final Map<Integer, Map<Integer, Link>> links = new HashMap<>();

  /**
   * @param seed seed of the adversary, of reordered memory and of the order of all steps
   * @param relaxed whether the tests' memory has relaxed ordering
   */
  DeviceRun(long seed, boolean relaxed) {
    random = new SplittableRandom(seed);
    nic =
        SoftNic.open(
            SoftNicOptions.DEFAULT
                .withEngine(EngineMode.STEPPED)
                .withClock(clock)
                .withRecorderEntries(64)
                .withAdversary(seed)
                .withReorder(new ReorderOptions(LONGEST_DELAY, seed)));
    device = Device.over(nic);
    domain = device.allocateProtectionDomain();
    memory = domain.allocate(ROOM, relaxed ? RELAXED : ORDERED);
  }

  /** The queue pair of a thread with a node. */
  private record Link(CompletionQueue completions, RcQueuePair requester, RcQueuePair responder) {}

  /** State of a thread that is executed. */
  private static final class Cpu {
    final List<Action> actions;
    final Map<Integer, Link> links;
    final Set<Integer> fenced = new HashSet<>();
    final Map<String, Integer> registers = new HashMap<>();
    final Deque<Action> buffer = new ArrayDeque<>();
    int next;

    Cpu(List<Action> actions, Map<Integer, Link> links) {
      this.actions = actions;
      this.links = links;
    }

    boolean isOver() {
      return next == actions.size() && buffer.isEmpty();
    }
  }

  /** The memory of one test. */
  private record Room(MemoryRegion memory, List<String> locations) {
    long offset(String location) {
      return (long) APART * locations.indexOf(location);
    }

    RemoteMemory remote(String location) {
      return memory.remote().slice(offset(location), Long.BYTES);
    }

    int get(String location) {
      return (int) memory.segment().get(ValueLayout.JAVA_LONG, offset(location));
    }

    void put(String location, int value) {
      memory.segment().set(ValueLayout.JAVA_LONG, offset(location), value);
    }
  }

  /** Runs a test once; returns its result. */
  String run(Litmus litmus) {
    Room room = new Room(memory, litmus.locations());
    memory.segment().fill((byte) 0);
    litmus.initial().forEach(room::put);
    List<Cpu> cpus = new ArrayList<>();
    for (Litmus.Thread thread : litmus.threads()) {
      cpus.add(new Cpu(thread.actions(), links(cpus.size(), thread.actions())));
    }
    execute(litmus, cpus, room);
    cpus.forEach(DeviceRun::checkTheRest);
    return litmus.result(name -> value(cpus, room, name));
  }

  private static int value(List<Cpu> cpus, Room room, String name) {
    for (Cpu cpu : cpus) {
      Integer value = cpu.registers.get(name);
      if (value != null) {
        return value;
      }
    }
    return room.get(name);
  }

  private Map<Integer, Link> links(int thread, List<Action> actions) {
    Map<Integer, Link> own = links.computeIfAbsent(thread, unused -> new HashMap<>());
    for (Action action : actions) {
      if (action instanceof Request request) {
        own.computeIfAbsent(request.node(), unused -> link());
      }
    }
    return own;
  }

  private Link link() {
    CompletionQueue completions = device.createCompletionQueue(16);
    RcQueuePair requester = domain.rcQueuePair(completions).create();
    RcQueuePair responder = domain.rcQueuePair(completions).create();
    requester.connect(responder.endpoint());
    responder.connect(requester.endpoint());
    return new Link(completions, requester, responder);
  }

  /** Polls the completions that the test did not poll. */
  private static void checkTheRest(Cpu cpu) {
    for (Link link : cpu.links.values()) {
      while (isCompleted(link)) {
        Thread.onSpinWait();
      }
    }
  }

  // ---- the order of all steps

  private void execute(Litmus litmus, List<Cpu> cpus, Room room) {
    // On average, one in `pace` steps of the device is followed by a turn of the threads and the
    // clock.
    int pace = 1 << random.nextInt(MAX_LOG_PACE);
    int clockPace = 1 << random.nextInt(2 * MAX_LOG_PACE);
    int[] paces = cpus.stream().mapToInt(unused -> 1 << random.nextInt(MAX_LOG_PACE)).toArray();
    for (int i = 0; i < MAX_STEPS; i++) {
      boolean isIdle = nic.step() == 0;
      if (isIdle && cpus.stream().allMatch(Cpu::isOver)) {
        settle();
        return;
      }
      if (!isIdle && random.nextInt(pace) > 0) {
        continue;
      }
      if (random.nextInt(clockPace) == 0) {
        clock.advance(1 + random.nextLong(LONGEST_DELAY >> random.nextInt(MAX_LOG_PACE)));
      }
      for (int at = 0; at < cpus.size(); at++) {
        if (random.nextInt(paces[at]) == 0) {
          move(cpus.get(at), room);
        }
      }
    }
    throw new IllegalStateException("%s does not end".formatted(litmus.name()));
  }

  private void move(Cpu cpu, Room room) {
    if (!cpu.buffer.isEmpty() && random.nextInt(3) == 0) {
      leave(cpu, room);
    } else {
      act(cpu, room);
    }
  }

  private void settle() {
    do {
      while (nic.step() > 0) {
        Thread.onSpinWait();
      }
      clock.advance(LONGEST_DELAY);
    } while (nic.step() > 0);
  }

  // ---- threads

  private static void act(Cpu cpu, Room room) {
    if (cpu.next == cpu.actions.size()) {
      return;
    }
    boolean done =
        switch (cpu.actions.get(cpu.next)) {
          case Store store -> cpu.buffer.add(store);
          case Request request -> cpu.buffer.add(request);
          case Load load -> {
            cpu.registers.put(load.register(), load(cpu, room, load.from()));
            yield true;
          }
          case Await await -> load(cpu, room, await.from()) == await.value();
          case StoreFence _ -> cpu.buffer.isEmpty();
          case Locked locked -> cpu.buffer.isEmpty() && change(cpu, room, locked);
          case Poll poll -> isCompleted(cpu.links.get(poll.node()));
        };
    cpu.next += done ? 1 : 0;
  }

  private static int load(Cpu cpu, Room room, String from) {
    int value = room.get(from);
    for (Action action : cpu.buffer) {
      if (action instanceof Store store && store.to().equals(from)) {
        value = store.value();
      }
    }
    return value;
  }

  private static boolean change(Cpu cpu, Room room, Locked locked) {
    Change change = locked.change();
    int before = room.get(change.at());
    room.put(change.at(), change.of(before));
    cpu.registers.put(locked.register(), before);
    return true;
  }

  private static boolean isCompleted(@Nullable Link link) {
    Completion completion = link == null ? null : link.completions().poll();
    if (completion != null && completion.status() != CompletionStatus.SUCCESS) {
      throw new IllegalStateException(completion.explanation());
    }
    return completion != null;
  }

  /** Lets the oldest entry leave the store buffer. */
  private static void leave(Cpu cpu, Room room) {
    switch (cpu.buffer.remove()) {
      case Store store -> room.put(store.to(), store.value());
      case RemoteFence fence -> cpu.fenced.add(fence.node());
      case Request request -> post(cpu, room, request);
      default -> throw new IllegalStateException("nothing else is buffered");
    }
  }

  private static void post(Cpu cpu, Room room, Request request) {
    RcQueuePair queuePair = Objects.requireNonNull(cpu.links.get(request.node())).requester();
    RequestModifiers modifiers =
        switch (request) {
          case Put put ->
              queuePair
                  .write(room.remote(put.to()))
                  .gather(room.memory(), room.offset(put.from()), Long.BYTES);
          case Get get ->
              queuePair
                  .read(room.remote(get.from()))
                  .scatter(room.memory(), room.offset(get.to()), Long.BYTES);
          case Atomic atomic ->
              start(queuePair, room, atomic.change())
                  .scatter(room.memory(), room.offset(atomic.to()));
          case RemoteFence _ ->
              throw new IllegalStateException("a fence is not a request of verbs");
        };
    (cpu.fenced.remove(request.node()) ? modifiers.fence() : modifiers).signaled(1);
    queuePair.ringDoorbell();
  }

  private static AtomicScatter start(RcQueuePair queuePair, Room room, Change change) {
    RemoteMemory remote = room.remote(change.at());
    return change.expected() == null
        ? queuePair.fetchAndAdd(remote, change.operand())
        : queuePair.compareAndSwap(remote, change.expected(), change.operand());
  }

  @Override
  public void close() {
    for (Map<Integer, Link> own : links.values()) {
      for (Link link : own.values()) {
        link.requester().close();
        link.responder().close();
        link.completions().close();
      }
    }
    memory.close();
    domain.close();
    device.close();
  }
}
