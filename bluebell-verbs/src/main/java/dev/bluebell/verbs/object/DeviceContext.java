package dev.bluebell.verbs.object;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaEventChannel;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.HcaPort;
import dev.bluebell.hca.LinkLayer;
import dev.bluebell.verbs.ClosedException;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.DeviceAttributes;
import dev.bluebell.verbs.OpenObject;
import dev.bluebell.verbs.ring.LocalMemory;
import dev.bluebell.verbs.ring.QueueTable;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An open device and the state that its objects share. It knows its objects only as things to close
 * before it. Thread-safe.
 */
public final class DeviceContext {
  private static final int FIRST_PORT = 1;
  private static final int FRAMES = 32;
  private static final String DRIVER = Device.class.getPackageName() + ".";

  private static final int[] QUEUE_PAIR_EVENTS = {
    HcaEvent.COMMUNICATION_ESTABLISHED,
    HcaEvent.SQ_DRAINED,
    HcaEvent.WQ_CATASTROPHIC,
    HcaEvent.WQ_INVALID_REQUEST,
    HcaEvent.WQ_ACCESS_ERROR,
    HcaEvent.SRQ_LAST_WQE
  };

  private static final int[] TARGET_EVENTS = {
    HcaEvent.DCT_KEY_VIOLATION,
    HcaEvent.WQ_CATASTROPHIC,
    HcaEvent.WQ_INVALID_REQUEST,
    HcaEvent.WQ_ACCESS_ERROR
  };

  private static final int[] SHARED_RECEIVE_EVENTS = {
    HcaEvent.SRQ_LIMIT, HcaEvent.SRQ_CATASTROPHIC
  };

  private final Hca hca;
  private final DeviceAttributes attributes;
  private final LinkLayer linkLayer;
  private final RegisterPool registers;
  private final DoorbellRecordPool records;
  private final QueueTable queues = new QueueTable();
  private final LocalMemory localMemory = new LocalMemory();

  /** The mapping of the device's memory; null until some is allocated. */
  private @Nullable MemorySegment window;

  private final HcaEventChannel events;
  private final HcaEventChannel errors;
  private final Map<Long, IntConsumer> errorHandlers = new ConcurrentHashMap<>();
  private final Map<Long, Runnable> limitHandlers = new ConcurrentHashMap<>();
  private final AtomicLong nextCookie = new AtomicLong(1);

  /** The open objects, and where they were created. */
  private final SequencedMap<DeviceObject, List<StackTraceElement>> children =
      new LinkedHashMap<>();

  private volatile boolean traced;

  /** Creations share it; a close waits until those that have begun give it back. */
  private final ReentrantReadWriteLock creations = new ReentrantReadWriteLock();

  /** True once a close has begun; no object is created any more. */
  private volatile boolean closing;

  private final Lifetime lifetime;

  /**
   * Opens a device.
   *
   * @param hca closed with the context, and when this call fails
   */
  public DeviceContext(Hca hca) {
    this.hca = hca;
    try {
      linkLayer = hca.queryPort(FIRST_PORT).linkLayer();
      attributes = DeviceCapabilities.query(hca, linkLayer);
      registers = new RegisterPool(hca);
      records = new DoorbellRecordPool(hca);
      events = hca.openEventChannel();
      events.subscribe(null, HcaEvent.PORT_CHANGE, 0);
      events.subscribe(null, HcaEvent.INTERNAL_ERROR, 0);
      errors = hca.openEventChannel();
    } catch (RuntimeException | Error e) {
      hca.close();
      throw e;
    }
    lifetime = new Lifetime("device " + hca.name());
  }

  public String name() {
    return hca.name();
  }

  public Hca hca() {
    return hca;
  }

  public DeviceAttributes attributes() {
    return attributes;
  }

  public RegisterPool registers() {
    return registers;
  }

  public DoorbellRecordPool records() {
    return records;
  }

  public QueueTable queues() {
    return queues;
  }

  public LocalMemory localMemory() {
    return localMemory;
  }

  /** The events of all objects, for the application. */
  public HcaEventChannel events() {
    return events;
  }

  public HcaPort port(int number) {
    requireOpen();
    return hca.queryPort(number);
  }

  public Gid gid(int port, int index) {
    requireOpen();
    return hca.queryGid(port, index);
  }

  /**
   * Link layer of all ports: a device has ports of one kind, {@code port_type} of its capabilities.
   */
  public LinkLayer linkLayer() {
    return linkLayer;
  }

  /**
   * The chosen entry of a port's GID table, or the default one, which changes with the addresses of
   * the port.
   */
  public int gidIndex(int port, int chosen) {
    return chosen == GidTable.USUAL ? GidTable.usual(hca, port) : chosen;
  }

  /** The device's memory as this process maps it. */
  public synchronized MemorySegment memoryWindow(long bytes) {
    if (window == null) {
      window = hca.allocate(bytes);
    }
    return window;
  }

  /** Records from now on where objects are created. */
  public void traceCreations() {
    traced = true;
  }

  /** The objects that are open, in the order of their creation. */
  public List<OpenObject> openObjects() {
    synchronized (children) {
      return children.entrySet().stream()
          .map(child -> new OpenObject(child.getKey(), child.getValue()))
          .toList();
    }
  }

  /** Checks that neither the device was closed nor a close has begun. */
  public void requireOpen() {
    if (closing) {
      throw new ClosedException(this + " is closed");
    }
  }

  /** Closes all open objects, the latest first: an object was created after those that it uses. */
  private void closeObjects() {
    List<DeviceObject> open;
    if (creations.getReadHoldCount() > 0) {
      throw new IllegalStateException(
          "%s cannot be closed by a thread that creates an object of it".formatted(this));
    }
    closing = true;
    creations.writeLock().lock();
    try {
      open = openChildren();
    } finally {
      creations.writeLock().unlock();
    }
    open.reversed().forEach(DeviceObject::close);
  }

  private List<DeviceObject> openChildren() {
    synchronized (children) {
      return List.copyOf(children.keySet());
    }
  }

  /** Runs a creation, for whose end a close waits. */
  <T> T create(Supplier<T> creation) {
    requireOpen();
    creations.readLock().lock();
    try {
      requireOpen();
      return creation.get();
    } finally {
      creations.readLock().unlock();
    }
  }

  /** Keeps an object until it is removed. A device that closes refuses it. */
  void add(DeviceObject object) {
    List<StackTraceElement> created = traced ? callers() : List.of();
    synchronized (children) {
      requireOpen();
      children.put(object, created);
    }
  }

  /** Removes a closed object. */
  void remove(DeviceObject object) {
    synchronized (children) {
      children.remove(object);
    }
  }

  /** The current stack frames of the driver's caller. */
  private static List<StackTraceElement> callers() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames
                    .dropWhile(frame -> frame.getClassName().startsWith(DRIVER))
                    .limit(FRAMES)
                    .map(StackWalker.StackFrame::toStackTraceElement)
                    .toList());
  }

  /** Subscribes the events of a queue pair. */
  public void watchQueuePair(HcaObject object) {
    subscribe(object, QUEUE_PAIR_EVENTS, 0);
  }

  /** Subscribes the events of a DC target. */
  public void watchTarget(HcaObject object) {
    subscribe(object, TARGET_EVENTS, 0);
  }

  private void subscribe(HcaObject object, int[] types, long cookie) {
    for (int type : types) {
      events.subscribe(object, type, cookie);
    }
  }

  /**
   * Subscribes the errors of a completion queue, for the application and for the queue itself.
   *
   * @param failed called with the syndrome, by a thread that polls any queue
   * @return ends the subscription
   */
  public Runnable watchErrors(HcaObject object, IntConsumer failed) {
    long cookie = nextCookie.getAndIncrement();
    errors.subscribe(object, HcaEvent.CQ_ERROR, cookie);
    events.subscribe(object, HcaEvent.CQ_ERROR, 0);
    // A queue that nothing uses yet has no errors.
    errorHandlers.put(cookie, failed);
    return () -> errorHandlers.remove(cookie);
  }

  /**
   * Subscribes the events of a shared receive queue.
   *
   * @param limitReached called by the thread that takes an event of its limit
   * @return ends the subscription
   */
  public Runnable watchReceives(HcaObject object, Runnable limitReached) {
    long cookie = nextCookie.getAndIncrement();
    subscribe(object, SHARED_RECEIVE_EVENTS, cookie);
    limitHandlers.put(cookie, limitReached);
    return () -> limitHandlers.remove(cookie);
  }

  /** Tells completion queues of the errors that the device reported. */
  public void dispatchErrors() {
    for (HcaEvent event = errors.poll(); event != null; event = errors.poll()) {
      IntConsumer failed = errorHandlers.get(event.cookie());
      if (failed != null) {
        failed.accept(event.syndrome());
      }
    }
  }

  /** Notifies a shared receive queue that it reached its limit, if the event reports this. */
  public void dispatchLimit(HcaEvent event) {
    Runnable handler =
        event.type() == HcaEvent.SRQ_LIMIT ? limitHandlers.get(event.cookie()) : null;
    if (handler != null) {
      handler.run();
    }
  }

  /**
   * Closes the device with its objects.
   *
   * @param closed called at the end, once
   */
  public void close(Runnable closed) {
    Teardown teardown = new Teardown();
    teardown.add(closed);
    teardown.add(hca::close);
    teardown.add(errors::close);
    teardown.add(events::close);
    teardown.add(this::closeObjects);
    lifetime.close(teardown);
  }

  @Override
  public String toString() {
    return lifetime.name();
  }
}
