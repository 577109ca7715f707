package dev.bluebell.verbs;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaEventChannel;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.HcaPort;
import dev.bluebell.hca.HcaProvider;
import dev.bluebell.hca.HcaResidents;
import dev.bluebell.hca.LinkLayer;
import dev.bluebell.hca.counter.PortCounter;
import dev.bluebell.hca.counter.PortCounters;
import dev.bluebell.verbs.jfr.AsynchronousEvent;
import dev.bluebell.verbs.jfr.DeviceClosedEvent;
import dev.bluebell.verbs.jfr.DeviceOpenedEvent;
import dev.bluebell.verbs.ring.LocalMemory;
import dev.bluebell.verbs.ring.QueueTable;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** An open RDMA device. Thread-safe. */
public final class Device implements AutoCloseable {
  /** Keeps queues reachable, and so their memory, as long as a device may access it. */
  private static final Set<Device> OPEN = ConcurrentHashMap.newKeySet();

  private static final int FIRST_PORT = 1;

  static {
    DeviceRates.announce(OPEN);
  }

  private final Hca hca;
  private final DeviceAttributes attributes;
  private final LinkLayer linkLayer;
  private final RegisterPool registers;
  private final DoorbellRecordPool records;
  private final QueueTable queues = new QueueTable();
  private final LocalMemory localMemory = new LocalMemory();

  /** Where memory of the device is seen; null until there is some. */
  private @Nullable MemorySegment window;

  private final HcaEventChannel events;
  private final HcaEventChannel errors;
  private final Map<Long, CompletionQueue> watched = new ConcurrentHashMap<>();
  private final Map<CompletionQueue, Long> cookies = new ConcurrentHashMap<>();
  private final Map<Long, Runnable> limitHandlers = new ConcurrentHashMap<>();
  private final Map<Integer, Integer> usualGids = new ConcurrentHashMap<>();
  private final AtomicLong nextCookie = new AtomicLong(1);

  /** With the places where they were created. */
  private final SequencedMap<AutoCloseable, List<StackTraceElement>> children =
      new LinkedHashMap<>();

  private volatile boolean traced;
  private final DeviceRates rates = new DeviceRates(this);
  private final Lifetime lifetime;

  private Device(Hca hca) {
    this.hca = hca;
    try {
      attributes = DeviceAttributes.query(hca);
      linkLayer = hca.queryPort(FIRST_PORT).linkLayer();
      registers = new RegisterPool(hca);
      records = new DoorbellRecordPool(hca);
      events = hca.openEventChannel();
      events.subscribe(null, HcaEvent.PORT_CHANGE, 0);
      events.subscribe(null, HcaEvent.INTERNAL_ERROR, 0);
      errors = hca.openEventChannel();
    } catch (RuntimeException e) {
      hca.close();
      throw e;
    }
    lifetime = new Lifetime("device " + hca.name());
    OPEN.add(this);
    DeviceOpenedEvent.tell(hca.name());
  }

  /**
   * Opens the preferred device: the first of the provider with the highest priority.
   *
   * @throws IllegalStateException when there is none
   * @throws HcaException when it can't be opened
   */
  public static Device open() {
    for (HcaProvider provider : providers()) {
      List<String> names = provider.names();
      if (!names.isEmpty()) {
        return open(names.getFirst());
      }
    }
    throw new IllegalStateException(
        "there is no RDMA device: add bluebell-softnic to the application for the software"
            + " ConnectX");
  }

  /**
   * Opens a device by name.
   *
   * @param name one of {@link #names}, perhaps with options as its provider documents
   * @throws IllegalArgumentException when no provider knows the name, or an option is wrong
   * @throws HcaException when it can't be opened
   */
  public static Device open(String name) {
    for (HcaProvider provider : providers()) {
      Optional<Hca> hca = provider.open(name);
      if (hca.isPresent()) {
        return new Device(hca.get());
      }
    }
    throw new IllegalArgumentException(
        "there is no device '%s': choose one of %s".formatted(name, String.join(", ", names())));
  }

  /**
   * Uses a device that is open already, and owns it from now on: closing this closes it, and so
   * does a failure here.
   */
  public static Device over(Hca hca) {
    return new Device(hca);
  }

  /** Names of the devices that can be opened now, the preferred first. */
  public static List<String> names() {
    return providers().stream().flatMap(provider -> provider.names().stream()).toList();
  }

  private static List<HcaProvider> providers() {
    return ServiceLoader.load(HcaProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .sorted(Comparator.comparingInt(HcaProvider::priority).reversed())
        .toList();
  }

  /** Name of the device. */
  public String name() {
    return hca.name();
  }

  /** Limits of the device. */
  public DeviceAttributes attributes() {
    return attributes;
  }

  /**
   * State of a port: its link layer, its LIDs on InfiniBand, its MTU.
   *
   * @param number from 1
   */
  public HcaPort port(int number) {
    lifetime.requireOpen();
    return hca.queryPort(number);
  }

  /**
   * What the counters of port 1 are now, in the order of {@link PortCounter}; those that the files
   * of an RDMA device have in {@code counters} and {@code hw_counters}. Of the whole device, for
   * all its programs, since it was opened. Counters of data count units of 4 bytes, those of queues
   * have 32 bits.
   *
   * @throws HcaException when the device does not answer
   */
  public Map<PortCounter, Long> counters() {
    lifetime.requireOpen();
    return PortCounters.read(hca);
  }

  /**
   * An entry of a port's GID table.
   *
   * @param port from 1
   * @param index from 0
   * @return all zeros when the entry is empty
   */
  public Gid gid(int port, int index) {
    lifetime.requireOpen();
    return hca.queryGid(port, index);
  }

  /**
   * How packets travel that leave from an entry of the port's GID table.
   *
   * @param index of an entry that is not empty
   */
  public GidType gidType(int port, int index) {
    lifetime.requireOpen();
    if (hca.queryGid(port, index).equals(Gid.ZERO)) {
      throw new IllegalArgumentException(
          "entry %d of the GID table of port %d is empty".formatted(index, port));
    }
    return GidTable.type(hca, port, index);
  }

  /** That of all ports: a device's are of one kind, {@code port_type} of its capabilities. */
  LinkLayer linkLayer() {
    return linkLayer;
  }

  /** The entry of a port's GID table that was chosen, or the usual one. */
  int gidIndex(int port, int chosen) {
    return chosen == GidTable.USUAL
        ? usualGids.computeIfAbsent(port, asked -> GidTable.usual(hca, asked))
        : chosen;
  }

  /** The device clock in cycles, see {@link DeviceAttributes#clockKilohertz}. */
  public long clock() {
    return hca.clock();
  }

  /**
   * Lets a device that has no thread of its own work. Polling does this by itself; only a program
   * that neither polls nor waits on one side needs it.
   *
   * @return how much was done; 0 for nothing, also when another thread has the device
   */
  public int progress() {
    return hca.progress();
  }

  /** Explanations and inspection, which only software devices have. */
  public Optional<HcaDiagnosis> diagnosis() {
    return hca.diagnosis();
  }

  /**
   * Leaves all that was created on this device where it is, and closes this: queues and memory live
   * on without this program, as long as the device does or until they are {@linkplain #residents
   * removed}. Requests that were posted and rung go on; connect queue pairs before. The memory of
   * regions stays mapped here as long as something refers to it.
   *
   * <p>Call it when no other thread uses what is left.
   *
   * @param name by which others find it: 1 … 64 letters, digits, dots, dashes or underscores
   * @return a token by which its owner removes it
   * @throws UnsupportedOperationException when the device lives no longer than this program: only a
   *     device process ({@code socket:PATH}) does
   * @throws HcaException when the device refuses, as it does for memory of this program that it
   *     only borrows, see {@link ProtectionDomain#allocate}; this device is as before
   */
  public long handOver(String name) {
    return handOver(name, "");
  }

  /**
   * As {@link #handOver(String)}, with a notice for those who come later.
   *
   * @param notice such as the endpoints of queue pairs that are not connected, which clients may
   *     {@linkplain #join join}; at most 8192 characters
   */
  public long handOver(String name, String notice) {
    lifetime.requireOpen();
    long token = hca.handOver(name, notice);
    close();
    return token;
  }

  /**
   * Connects a reliable queue pair that a program has left, and nobody has joined, to one of this
   * program.
   *
   * @param resident its name
   * @param seat the endpoint of the queue pair that was left
   * @param own the endpoint of this program's queue pair, which connects to the seat itself
   * @throws HcaException when there is no such queue pair, or another client has it
   * @throws IllegalStateException when nothing can be left on this device
   */
  public void join(String resident, QueuePairEndpoint seat, QueuePairEndpoint own) {
    lifetime.requireOpen();
    HcaResidents residents =
        hca.residents()
            .orElseThrow(() -> new IllegalStateException(this + " ends with this process"));
    residents.join(
        resident,
        seat.qpn(),
        JoinCommands.initToRtr(this, seat, own),
        JoinCommands.rtrToRts(this, seat, own));
  }

  /** What programs have left on the device; empty when the device ends with this program. */
  public Optional<HcaResidents> residents() {
    return hca.residents();
  }

  /** Allocates a protection domain. */
  public ProtectionDomain allocateProtectionDomain() {
    lifetime.requireOpen();
    return add(new ProtectionDomain(this));
  }

  /** Allocates a domain of extended reliable connections. */
  public XrcDomain allocateXrcDomain() {
    lifetime.requireOpen();
    return add(new XrcDomain(this));
  }

  /**
   * Creates a completion queue.
   *
   * @param entries completions that it shall hold at least; rounded up to a power of two. It
   *     overruns when more requests complete than are polled, so choose at least the number of
   *     requests that can be outstanding on all queues that report to it.
   */
  public CompletionQueue createCompletionQueue(int entries) {
    return createCompletionQueue(entries, CompletionQueueOptions.DEFAULT);
  }

  /** Creates a completion queue with options, as {@link #createCompletionQueue(int)}. */
  public CompletionQueue createCompletionQueue(int entries, CompletionQueueOptions options) {
    lifetime.requireOpen();
    return add(new CompletionQueue(this, entries, options));
  }

  /**
   * Allocates memory of the device itself, zeroed or not.
   *
   * @param bytes at least 1; the device rounds it up to its unit
   * @throws UnsupportedOperationException when the device has none that this program can reach
   * @throws HcaException when there is no more
   */
  public DeviceMemory allocateDeviceMemory(long bytes) {
    lifetime.requireOpen();
    return add(DeviceMemory.allocate(this, bytes));
  }

  /** The bytes of the device's memory, as this program sees them. */
  synchronized MemorySegment memoryWindow(long bytes) {
    if (window == null) {
      window = hca.allocate(bytes);
    }
    return window;
  }

  /** Opens a channel on which a thread waits for many completion queues. */
  public CompletionChannel openCompletionChannel() {
    lifetime.requireOpen();
    return add(new CompletionChannel(this));
  }

  /**
   * The next asynchronous event; null when there is none now. The handler of a {@linkplain
   * SharedReceiveQueue#arm limit} runs in this call when its event is taken.
   */
  public @Nullable AsyncEvent pollEvent() {
    return take(events.poll());
  }

  /**
   * Waits for the next asynchronous event, and handles it as {@link #pollEvent} does.
   *
   * @param timeout how long at most
   * @return null when the time is over or the device was closed
   */
  public @Nullable AsyncEvent awaitEvent(Duration timeout) throws InterruptedException {
    return take(events.await(Math.max(0, timeout.toNanos())));
  }

  private @Nullable AsyncEvent take(@Nullable HcaEvent event) {
    if (event == null) {
      return null;
    }
    if (event.type() == HcaEvent.SRQ_LIMIT) {
      Runnable handler = limitHandlers.get(event.cookie());
      if (handler != null) {
        handler.run();
      }
    }
    AsyncEvent taken = AsyncEvent.of(event);
    AsynchronousEvent.tell(name(), taken.type().name(), taken.number());
    return taken;
  }

  /**
   * Remembers from now on where objects are created, for {@link #openObjects}: in tests, as it
   * costs each of them a stack trace.
   */
  public void traceCreations() {
    traced = true;
  }

  /** What was created on the device and is not closed, in the order of creation. */
  public List<OpenObject> openObjects() {
    synchronized (children) {
      return children.entrySet().stream()
          .map(child -> new OpenObject(child.getKey(), child.getValue()))
          .toList();
    }
  }

  /** Closes what was created on the device and still exists, and the device. Idempotent. */
  @Override
  public void close() {
    Teardown teardown = new Teardown();
    teardown.add(
        () -> {
          hca.close();
          OPEN.remove(this);
          DeviceClosedEvent.tell(hca.name());
        });
    teardown.add(errors::close);
    teardown.add(events::close);
    teardown.add(this::closeChildren);
    lifetime.close(teardown);
  }

  private void closeChildren() {
    // What uses another object was created after it.
    for (AutoCloseable child : snapshot().reversed()) {
      switch (child) {
        case QueuePair queuePair -> queuePair.close();
        case DcTarget target -> target.close();
        case TargetQueuePair target -> target.close();
        case XrcDomain domain -> domain.close();
        case CompletionChannel channel -> channel.close();
        case CompletionQueue completions -> completions.close();
        case LinkedReceiveQueue receives -> receives.close();
        case TagMatchingReceiveQueue receives -> receives.close();
        case MemoryWindow window -> window.close();
        case IndirectRegion region -> region.close();
        case MemoryRegion region -> region.close();
        case DeviceMemory memory -> memory.close();
        case ProtectionDomain domain -> domain.close();
        default -> throw new AssertionError(child);
      }
    }
  }

  private List<AutoCloseable> snapshot() {
    synchronized (children) {
      return List.copyOf(children.keySet());
    }
  }

  <T extends AutoCloseable> T add(T child) {
    List<StackTraceElement> created = traced ? OpenObject.here() : List.of();
    synchronized (children) {
      children.put(child, created);
    }
    return child;
  }

  void remove(AutoCloseable child) {
    synchronized (children) {
      children.remove(child);
    }
  }

  /** Subscribes the errors of a completion queue, for the application and for the queue itself. */
  void watchErrors(CompletionQueue completions) {
    long cookie = nextCookie.getAndIncrement();
    watched.put(cookie, completions);
    cookies.put(completions, cookie);
    errors.subscribe(completions.object(), HcaEvent.CQ_ERROR, cookie);
    events.subscribe(completions.object(), HcaEvent.CQ_ERROR, 0);
  }

  void unwatchErrors(CompletionQueue completions) {
    Long cookie = cookies.remove(completions);
    if (cookie != null) {
      watched.remove(cookie);
    }
  }

  /**
   * Subscribes the events of a shared receive queue.
   *
   * @param limitReached called by the thread that takes an event of its limit
   * @return what ends it
   */
  Runnable watchReceives(HcaObject object, Runnable limitReached) {
    long cookie = nextCookie.getAndIncrement();
    for (int type : AsyncEvent.sharedReceiveTypes()) {
      events.subscribe(object, type, cookie);
    }
    limitHandlers.put(cookie, limitReached);
    return () -> limitHandlers.remove(cookie);
  }

  /** Tells completion queues of the errors that the device reported. */
  void dispatchErrors() {
    for (HcaEvent event = errors.poll(); event != null; event = errors.poll()) {
      CompletionQueue completions = watched.get(event.cookie());
      if (completions != null) {
        completions.fail(event.syndrome());
      }
    }
  }

  Hca hca() {
    return hca;
  }

  RegisterPool registers() {
    return registers;
  }

  DoorbellRecordPool records() {
    return records;
  }

  QueueTable queues() {
    return queues;
  }

  DeviceRates rates() {
    return rates;
  }

  LocalMemory localMemory() {
    return localMemory;
  }

  HcaEventChannel events() {
    return events;
  }

  @Override
  public String toString() {
    return lifetime.name();
  }
}
