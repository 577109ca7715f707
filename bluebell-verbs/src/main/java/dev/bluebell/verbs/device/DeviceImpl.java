package dev.bluebell.verbs.device;

import static java.util.Objects.requireNonNull;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaConnectionManager;
import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaPort;
import dev.bluebell.hca.HcaResidents;
import dev.bluebell.hca.counter.PortCounter;
import dev.bluebell.verbs.AsyncEvent;
import dev.bluebell.verbs.CompletionChannel;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionQueueOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.DeviceAttributes;
import dev.bluebell.verbs.DeviceMemory;
import dev.bluebell.verbs.GidType;
import dev.bluebell.verbs.OpenObject;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.QueuePairEndpoint;
import dev.bluebell.verbs.XrcDomain;
import dev.bluebell.verbs.completion.CompletionChannelImpl;
import dev.bluebell.verbs.completion.CompletionQueueImpl;
import dev.bluebell.verbs.jfr.AsynchronousEvent;
import dev.bluebell.verbs.jfr.DeviceClosedEvent;
import dev.bluebell.verbs.jfr.DeviceOpenedEvent;
import dev.bluebell.verbs.jfr.Recorder;
import dev.bluebell.verbs.memory.DeviceMemoryImpl;
import dev.bluebell.verbs.object.DeviceContext;
import dev.bluebell.verbs.object.DeviceObject;
import dev.bluebell.verbs.object.GidTable;
import dev.bluebell.verbs.xrc.XrcDomainImpl;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Implements {@link Device}: creates the objects of a {@link DeviceContext}. */
public final class DeviceImpl implements Device {
  /** Keeps queues, and thus their memory, reachable as long as a device may access it. */
  private static final Set<DeviceImpl> OPEN = ConcurrentHashMap.newKeySet();

  static {
    DeviceRates.announce(OPEN);
  }

  private final DeviceContext context;
  private final Hca hca;
  private final DeviceRates rates;

  DeviceImpl(Hca hca) {
    this.hca = hca;
    context = new DeviceContext(hca);
    rates = new DeviceRates(context);
    OPEN.add(this);
    if (Recorder.isThere()) {
      rates.begin();
      new DeviceOpenedEvent(hca.name()).commit();
    }
  }

  @Override
  public String name() {
    return hca.name();
  }

  @Override
  public DeviceAttributes attributes() {
    return context.attributes();
  }

  @Override
  public HcaPort port(int number) {
    return context.port(number);
  }

  @Override
  public Map<PortCounter, Long> counters() {
    context.requireOpen();
    return hca.counters();
  }

  @Override
  public Gid gid(int port, int index) {
    return context.gid(port, index);
  }

  @Override
  public GidType gidType(int port, int index) {
    context.requireOpen();
    if (hca.queryGid(port, index).equals(Gid.ZERO)) {
      throw new IllegalArgumentException(
          "entry %d of the GID table of port %d is empty".formatted(index, port));
    }
    return GidTable.type(hca, port, index);
  }

  @Override
  public long clock() {
    return hca.clock();
  }

  @Override
  public int progress() {
    return hca.progress();
  }

  @Override
  public Optional<HcaDiagnosis> diagnosis() {
    return hca.diagnosis();
  }

  @Override
  public long handOver(String name, String notice) {
    context.requireOpen();
    requireNonNull(name, "the name is null");
    requireNonNull(notice, "the notice is null");
    long token = hca.handOver(name, notice);
    close();
    return token;
  }

  @Override
  public void join(String resident, QueuePairEndpoint seat, QueuePairEndpoint own) {
    context.requireOpen();
    requireNonNull(resident, "the name of the resident is null");
    requireNonNull(seat, "the endpoint of the resident is null");
    requireNonNull(own, "the own endpoint is null");
    HcaResidents residents =
        hca.residents()
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        this + " ends with this process, so it has no residents"));
    residents.join(
        resident,
        seat.qpn(),
        JoinCommands.initToRtr(context, seat, own),
        JoinCommands.rtrToRts(context, seat, own));
  }

  @Override
  public Optional<HcaConnectionManager> openConnectionManager() {
    context.requireOpen();
    return hca.openConnectionManager();
  }

  @Override
  public Optional<HcaResidents> residents() {
    return hca.residents();
  }

  @Override
  public ProtectionDomain allocateProtectionDomain() {
    return DeviceObject.create(context, () -> new ProtectionDomainImpl(context));
  }

  @Override
  public XrcDomain allocateXrcDomain() {
    return DeviceObject.create(context, () -> new XrcDomainImpl(context));
  }

  @Override
  public CompletionQueue createCompletionQueue(int entries, CompletionQueueOptions options) {
    requireNonNull(options, "the options are null");
    return DeviceObject.create(context, () -> new CompletionQueueImpl(context, entries, options));
  }

  @Override
  public DeviceMemory allocateDeviceMemory(long bytes) {
    return DeviceObject.create(context, () -> DeviceMemoryImpl.allocate(context, bytes));
  }

  @Override
  public CompletionChannel openCompletionChannel() {
    return DeviceObject.create(context, () -> new CompletionChannelImpl(context));
  }

  @Override
  public @Nullable AsyncEvent pollEvent() {
    return take(context.events().poll());
  }

  @Override
  public @Nullable AsyncEvent awaitEvent(Duration timeout) throws InterruptedException {
    requireNonNull(timeout, "the timeout is null");
    AsyncEvent event = take(context.events().await(timeout));
    if (event == null) {
      // Throws if the device is lost: channels of such a device do not wait.
      hca.progress();
    }
    return event;
  }

  private @Nullable AsyncEvent take(@Nullable HcaEvent event) {
    if (event == null) {
      return null;
    }
    context.dispatchLimit(event);
    AsyncEvent taken = AsyncEvent.of(event);
    if (Recorder.isThere()) {
      new AsynchronousEvent(name(), taken.type().name(), taken.number()).commit();
    }
    return taken;
  }

  @Override
  public void traceCreations() {
    context.traceCreations();
  }

  @Override
  public List<OpenObject> openObjects() {
    return context.openObjects();
  }

  DeviceRates rates() {
    return rates;
  }

  @Override
  public void close() {
    context.close(
        () -> {
          OPEN.remove(this);
          if (Recorder.isThere()) {
            new DeviceClosedEvent(hca.name()).commit();
          }
        });
  }

  @Override
  public String toString() {
    return context.toString();
  }
}
