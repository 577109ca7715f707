package dev.bluebell.devx;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaEventChannel;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.command.EqeFormat.CqError;
import dev.bluebell.hca.command.EqeFormat.Eqe;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.DevxAbi.DevxAsyncEventFdAllocAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.DevxSubscribeEventAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.Mlx5DevxAsyncEventHdr;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.EventAbi.AsyncEventAllocAttrs;
import dev.bluebell.hca.uverbs.EventAbi.AsyncEventDesc;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The events of a device. A thread waits for events of the kernel and passes them to the channels;
 * it also detects the removal of the device, which pollers of memory can't see. Thread-safe.
 *
 * <p>One file carries the events of all channels, each subscription under a cookie of its own. The
 * kernel ends a subscription only with its object or the file, so events of closed channels still
 * arrive and are dropped here.
 */
final class DeviceEvents implements AutoCloseable {
  private static final Logger LOGGER = System.getLogger("dev.bluebell.devx");

  // Asynchronous events, ib_verbs.h: ib_event_type.
  private static final int DEVICE_FATAL = 8;
  private static final int PORT_ACTIVE = 9;
  private static final int PORT_ERROR = 10;

  /** Without these, waiters would never wake, and a failed queue would look idle. */
  private static final Set<Integer> REQUIRED = Set.of(HcaEvent.COMPLETION, HcaEvent.CQ_ERROR);

  private static final int HEADER_BYTES = Mlx5DevxAsyncEventHdr.STRUCTURE.bytes();
  private static final int EVENT_BYTES = HEADER_BYTES + Eqe.STRUCTURE.bytes();
  private static final Field TYPE = Field.littleEndian("event type", 0, Short.BYTES);

  private static final int LONGEST_READ = 128;

  private final UverbsFile file;
  private final int events;
  private final int asynchronous;
  private final int wake;
  private final Map<Long, Subscription> subscriptions = new ConcurrentHashMap<>();
  private final Set<DevxEventChannel> channels = ConcurrentHashMap.newKeySet();
  private final AtomicLong cookies = new AtomicLong();

  /** Types of events that the kernel does not report. */
  private final Set<Integer> refused = ConcurrentHashMap.newKeySet();

  /** Completes when the thread has ended. */
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  private volatile boolean closed;

  /** A subscription of a channel. */
  private record Subscription(
      DevxEventChannel channel, @Nullable DevxObject object, int type, long cookie) {}

  /** Events without a thread that takes them. */
  DeviceEvents(UverbsFile file, int events, int asynchronous, int wake) {
    this.file = file;
    this.events = events;
    this.asynchronous = asynchronous;
    this.wake = wake;
  }

  /** Opens the files of a device's events and starts the thread. */
  static DeviceEvents open(UverbsFile file, String device) {
    int events =
        file.require(
                "opening a file for events",
                Ioctl.of(DevxAsyncEventFdAllocAttrs.METHOD)
                    .newHandle(DevxAsyncEventFdAllocAttrs.HANDLE)
                    .word(DevxAsyncEventFdAllocAttrs.FLAGS, 0))
            .created(DevxAsyncEventFdAllocAttrs.HANDLE);
    try {
      return open(file, device, events);
    } catch (RuntimeException e) {
      Libc.close(events);
      throw e;
    }
  }

  private static DeviceEvents open(UverbsFile file, String device, int events) {
    int asynchronous =
        file.require(
                "opening a file for asynchronous events",
                Ioctl.of(AsyncEventAllocAttrs.METHOD).newHandle(AsyncEventAllocAttrs.FD_HANDLE))
            .created(AsyncEventAllocAttrs.FD_HANDLE);
    int wake = Libc.eventfd();
    if (wake < 0) {
      Libc.close(asynchronous);
      throw file.refusals().call("making an eventfd", -wake);
    }
    DeviceEvents opened = new DeviceEvents(file, events, asynchronous, wake);
    Thread unused = Thread.ofPlatform().daemon().name("bluebell-" + device).start(opened::run);
    return opened;
  }

  HcaEventChannel openChannel() {
    DevxEventChannel channel = new DevxEventChannel(this);
    channels.add(channel);
    if (file.isLost()) {
      channel.fail();
    }
    return channel;
  }

  // ---- subscriptions

  /**
   * Subscribes events of an object, or of the device.
   *
   * <p>The kernel refuses types that the firmware does not offer, and which it offers is not
   * public. A refused type is logged once, and its events do not arrive; only that a port goes up
   * or down is still reported.
   *
   * @throws HcaException when the kernel refuses completions or CQ errors
   */
  void subscribe(DevxEventChannel channel, @Nullable DevxObject object, int type, long cookie) {
    long own = cookies.incrementAndGet();
    subscriptions.put(own, new Subscription(channel, object, type, cookie));
    // The kernel reports the end of the device separately.
    if (object == null && type == HcaEvent.INTERNAL_ERROR) {
      return;
    }
    Ioctl ioctl =
        Ioctl.of(DevxSubscribeEventAttrs.METHOD)
            .handle(DevxSubscribeEventAttrs.FD_HANDLE, events)
            .number(DevxSubscribeEventAttrs.COOKIE, own)
            .input(
                DevxSubscribeEventAttrs.TYPE_NUM_LIST,
                View.over(new byte[Short.BYTES]).set(TYPE, type).bytes());
    if (object != null) {
      ioctl.handle(DevxSubscribeEventAttrs.OBJ_HANDLE, object.handle());
    }
    try {
      int errno = file.call(ioctl);
      if (errno != 0) {
        refuse(type, errno);
      }
    } catch (RuntimeException e) {
      subscriptions.remove(own);
      throw e;
    }
  }

  private void refuse(int type, int errno) {
    HcaException refusal =
        file.refusals().call("subscribing to %s events".formatted(HcaEvent.typeName(type)), errno);
    if (REQUIRED.contains(type)) {
      throw refusal;
    }
    if (refused.add(type)) {
      LOGGER.log(Level.WARNING, "{0}; these events do not arrive", refusal.getMessage());
    }
  }

  /** Drops the subscriptions to a destroyed object. */
  void forget(DevxObject object) {
    subscriptions.values().removeIf(subscription -> subscription.object() == object);
  }

  /** Drops a channel and its subscriptions. */
  void forget(DevxEventChannel channel) {
    channels.remove(channel);
    subscriptions.values().removeIf(subscription -> subscription.channel() == channel);
  }

  // ---- the thread

  private void run() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(LONGEST_READ, 8);
      short[] states;
      do {
        states = Libc.poll(wake, events, asynchronous);
      } while (!closed && takeEvent(states[1], bytes) && takeAsynchronous(states[2], bytes));
    } finally {
      try {
        if (!closed) {
          file.lose();
          channels.forEach(DevxEventChannel::fail);
        }
      } finally {
        ended.complete(null);
      }
    }
  }

  /** Reads from a file in this state: the number of bytes, or minus an error number. */
  private static int read(int from, short state, MemorySegment bytes) {
    if ((state & Libc.POLLIN) == 0) {
      return (state & (Libc.POLLERR | Libc.POLLHUP)) == 0 ? -Errno.EAGAIN : -Errno.EIO;
    }
    int read = Libc.read(from, bytes);
    return read == -Errno.EINTR ? -Errno.EAGAIN : read;
  }

  /** Takes an event, if there is one; false when the device is gone. */
  private boolean takeEvent(short state, MemorySegment bytes) {
    int read = read(events, state, bytes);
    if (read >= HEADER_BYTES) {
      deliver(Arrays.copyOf(bytes.toArray(ValueLayout.JAVA_BYTE), Math.min(read, EVENT_BYTES)));
      return true;
    }
    if (read == -Errno.EOVERFLOW) {
      // The kernel had no memory for an event. A spurious completion event does no harm.
      subscriptions.values().stream()
          .filter(subscription -> subscription.type() == HcaEvent.COMPLETION)
          .forEach(subscription -> deliver(subscription, View.of(Eqe.STRUCTURE)));
      return true;
    }
    return read == -Errno.EAGAIN;
  }

  private void deliver(byte[] event) {
    Subscription subscription =
        subscriptions.get(View.over(event).get(Mlx5DevxAsyncEventHdr.COOKIE));
    if (subscription != null) {
      deliver(subscription, View.over(Arrays.copyOfRange(event, HEADER_BYTES, EVENT_BYTES)));
    }
  }

  private static void deliver(Subscription subscription, View entry) {
    DevxObject object = subscription.object();
    int type = subscription.type();
    int syndrome =
        switch (type) {
          case HcaEvent.CQ_ERROR -> entry.at(Eqe.EVENT_DATA_CQ_ERROR).getInt(CqError.SYNDROME);
          case HcaEvent.PORT_CHANGE -> entry.getInt(Eqe.EVENT_SUB_TYPE);
          default -> 0;
        };
    int number =
        object == null
            ? entry.getInt(Eqe.EVENT_DATA_PORT_STATE_CHANGE_EVENT_PORT_NUM)
            : object.number();
    subscription.channel().offer(new HcaEvent(type, number, syndrome, subscription.cookie()));
  }

  /** Takes an asynchronous event, if there is one; false when the device is gone. */
  private boolean takeAsynchronous(short state, MemorySegment bytes) {
    int read = read(asynchronous, state, bytes);
    if (read >= AsyncEventDesc.STRUCTURE.bytes()) {
      return takeAsynchronous(View.over(bytes.toArray(ValueLayout.JAVA_BYTE)));
    }
    return read == -Errno.EAGAIN;
  }

  /**
   * Takes an asynchronous event, an {@link AsyncEventDesc}; false when the device is gone. Events
   * of objects come by subscription.
   */
  boolean takeAsynchronous(View event) {
    switch (event.getInt(AsyncEventDesc.EVENT_TYPE)) {
      case DEVICE_FATAL -> {
        return false;
      }
      case PORT_ACTIVE -> portChanged(event, HcaEvent.PORT_ACTIVE);
      case PORT_ERROR -> portChanged(event, HcaEvent.PORT_DOWN);
      default -> {}
    }
    return true;
  }

  /** Reports a change of a port, unless it comes by subscription. */
  private void portChanged(View event, int subtype) {
    if (refused.contains(HcaEvent.PORT_CHANGE)) {
      int port = event.getInt(AsyncEventDesc.ELEMENT);
      subscriptions.values().stream()
          .filter(subscription -> subscription.type() == HcaEvent.PORT_CHANGE)
          .forEach(
              subscription ->
                  subscription
                      .channel()
                      .offer(
                          new HcaEvent(
                              HcaEvent.PORT_CHANGE, port, subtype, subscription.cookie())));
    }
  }

  /** Ends the thread and all channels. Idempotent: the descriptors may belong to others by then. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    Libc.signal(wake);
    ended.join();
    channels.forEach(DevxEventChannel::end);
    Libc.close(events);
    Libc.close(asynchronous);
    Libc.close(wake);
  }
}
