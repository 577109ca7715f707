package dev.bluebell.verbs;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaEventChannel;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.command.CqCommands.CreateCqIn;
import dev.bluebell.hca.structure.View;
import dev.bluebell.verbs.jfr.CompletionQueueFailedEvent;
import dev.bluebell.verbs.ring.CompletionRing;
import dev.bluebell.verbs.ring.CompletionRingLayout;
import java.time.Duration;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A completion queue, in which requests of queue pairs report how they ended.
 *
 * <p>Polling, arming and waiting belong to one thread at a time; {@link #close} is thread-safe.
 */
public final class CompletionQueue implements AutoCloseable {
  private static final int ERROR_CHECK_INTERVAL = 64;

  private final Device device;
  private final Hca hca;
  private final Lifetime lifetime;
  private final Teardown teardown = new Teardown();
  private final HcaObject object;
  private final int cqeBytes;
  private final CqeCompression compression;

  /** Keeps the doorbell record, and the first ring's memory, reachable. */
  private final QueueResources resources;

  /** Keeps the ring's memory reachable, as the ring knows its address only. */
  private @Nullable QueueMemory memory;

  /** Keeps the memory reachable that polls stay in when a device resized the queue wrongly. */
  private @Nullable QueueMemory left;

  private final CompletionRing ring;
  private int entries;
  private @Nullable HcaEventChannel events;
  private boolean inChannel;

  /** Kind of the queue pairs, when there is a lane for it. */
  private @Nullable Class<? extends QueuePair> kind;

  private int emptyPolls;
  private volatile int failure;

  CompletionQueue(Device device, int minEntries, CompletionQueueOptions options) {
    this.device = device;
    hca = device.hca();
    cqeBytes = options.cqeBytes();
    compression = options.compression();
    requireSize(minEntries);
    int miniFormat = miniFormat(options.miniCqeFormat());
    if (options.completionVector() >= hca.completionVectors()) {
      throw new IllegalArgumentException(
          "%s has %d completion vectors, so there is no number %d"
              .formatted(device.name(), hca.completionVectors(), options.completionVector()));
    }
    int logEntries = Sizes.log2Ceiling(minEntries);
    entries = 1 << logEntries;
    // Last of all: the ring that the queue has then.
    teardown.add(this::closeMemory);
    try {
      resources =
          QueueResources.ofCompletionQueue(device, (long) entries * options.cqeBytes(), teardown);
      long address = resources.memory().address();
      CompletionRingLayout.initialize(address, logEntries, options.cqeBytes());
      View command = View.command(CreateCqIn.STRUCTURE, CommandOpcode.CREATE_CQ);
      command
          .set(CreateCqIn.CQ_UMEM_ID, resources.memory().umem().number())
          .set(CreateCqIn.CQ_UMEM_VALID, true)
          .at(CreateCqIn.CQ_CONTEXT)
          .set(Cqc.DBR_UMEM_ID, resources.record().umem())
          .set(Cqc.DBR_UMEM_VALID, true)
          .set(Cqc.DBR_ADDR, resources.record().offset())
          .set(Cqc.CQE_SZ, CompletionCommands.cqeSize(cqeBytes))
          .set(Cqc.OI, options.ignoreOverrun())
          .set(Cqc.CQE_COMP_EN, compression != CqeCompression.NONE)
          .set(Cqc.CQE_COMPRESSION_LAYOUT, CompletionCommands.layout(compression))
          .set(Cqc.MINI_CQE_RES_FORMAT, miniFormat)
          .set(Cqc.LOG_CQ_SIZE, logEntries)
          .set(Cqc.UAR_PAGE, resources.register().page())
          .set(Cqc.C_EQN, hca.eventQueueNumber(options.completionVector()));
      object = hca.create(command.bytes());
      CompletionRingLayout layout =
          new CompletionRingLayout(
                  address,
                  logEntries,
                  options.cqeBytes(),
                  object.number(),
                  resources.record().address(),
                  resources.register().address())
              .compressed(compression, miniFormat);
      memory = resources.memory();
      ring =
          new CompletionRing(
              layout, device.queues(), device.localMemory(), hca.diagnosis().orElse(null));
      ring.belongTo(device.name(), device.linkLayer());
      teardown.add(ring::close);
      teardown.add(object::close);
      lifetime = new Lifetime("CQ 0x%x".formatted(object.number()));
      teardown.add(() -> device.unwatchErrors(this));
      device.watchErrors(this);
    } catch (RuntimeException e) {
      throw teardown.runAfter(e);
    }
  }

  private void requireSize(int minEntries) {
    int most = device.attributes().maxCompletionEntries();
    if (minEntries < 1 || minEntries > most) {
      throw new IllegalArgumentException(
          "a completion queue of %s has 1 to %d entries, not %d"
              .formatted(device.name(), most, minEntries));
    }
  }

  /** Value of mini_cqe_res_format, if the device compresses as wanted. */
  private int miniFormat(@Nullable MiniCqeFormat wanted) {
    if (compression == CqeCompression.NONE) {
      return 0;
    }
    CompressionAttributes offered = device.attributes().compression();
    if (!offered.supports(compression, cqeBytes)) {
      throw new UnsupportedOperationException(
          "%s does not compress completions in entries of %d bytes in the layout %s"
              .formatted(device.name(), cqeBytes, compression));
    }
    MiniCqeFormat format = wanted == null ? offered.richestFormat() : wanted;
    if (!offered.formats().contains(format)) {
      throw new UnsupportedOperationException(
          "%s does not compress completions in the format %s, only in %s: choose one of them, or leave the format to the driver"
              .formatted(
                  device.name(),
                  format,
                  offered.formats().stream()
                      .sorted()
                      .map(MiniCqeFormat::toString)
                      .collect(Collectors.joining(" and "))));
    }
    return format.code();
  }

  /**
   * Consumes the completions that are there, at most as many as the queue has entries.
   *
   * @param handler called for each
   * @return how many it was called for
   * @throws ClosedException when the queue is closed
   * @throws NotOwnerException when another thread polls
   * @throws CompletionQueueFailedException when it has overrun
   * @throws IllegalStateException when it holds an entry that makes no sense
   */
  public int poll(CompletionHandler handler) {
    return poll(handler, entries);
  }

  /**
   * Consumes completions.
   *
   * @param handler called for each
   * @param max how many at most
   * @return how many it was called for
   * @throws IllegalStateException as {@link #poll(CompletionHandler)}
   */
  public int poll(CompletionHandler handler, int max) {
    ring.requireOwner();
    int count = ring.poll(handler, max);
    if (count == 0) {
      hca.progress();
      count = ring.poll(handler, max);
      if (count == 0) {
        foundNothing();
      }
    }
    return count;
  }

  /**
   * Consumes one completion.
   *
   * @return a view of it that is valid until the queue is polled again; null when there is none
   * @throws IllegalStateException as {@link #poll(CompletionHandler)}
   */
  public @Nullable Completion poll() {
    ring.requireOwner();
    Completion completion = ring.poll();
    if (completion == null) {
      hca.progress();
      completion = ring.poll();
      if (completion == null) {
        foundNothing();
      }
    }
    return completion;
  }

  /** As {@link CompletionLane#poll(LaneHandler, int)}. */
  <Q extends QueuePair> int pollLane(LaneHandler<Q> handler, int max) {
    ring.requireOwner();
    int count = ring.pollLane(handler, max);
    if (count == 0) {
      hca.progress();
      count = ring.pollLane(handler, max);
      if (count == 0) {
        foundNothing();
      }
    }
    return count;
  }

  /**
   * Opens the fast lane. From now on the queue serves queue pairs of one kind only.
   *
   * @param of the kind
   * @throws IllegalStateException when it serves others already, or has a lane for others
   */
  public synchronized <Q extends QueuePair> CompletionLane<Q> lane(Class<Q> of) {
    lifetime.requireOpen();
    if (kind != null && kind != of) {
      throw new IllegalStateException(
          "%s has a lane for %s already".formatted(this, kind.getSimpleName()));
    }
    lifetime.users().forEach(user -> requireKind(of, user));
    kind = of;
    return new CompletionLane<>(this);
  }

  /**
   * Takes what shall complete here, if its kind is served.
   *
   * @param user a user of this queue already, so that a lane that opens meanwhile knows it
   */
  synchronized void admit(Object user) {
    if (kind != null) {
      requireKind(kind, user);
    }
  }

  private void requireKind(Class<? extends QueuePair> wanted, Object user) {
    if (!wanted.isInstance(user)) {
      throw new IllegalStateException(
          "%s has a lane for %s only, and %s is none: give it another completion queue, or poll"
                  .formatted(this, wanted.getSimpleName(), user)
              + " without a lane");
    }
  }

  /**
   * Sets how many completions, and how much time, may pass before an armed queue makes its event.
   * Whichever comes first counts. Completions themselves are there at once.
   *
   * @param count 0 … 65535; 0 and 1 for an event at the first
   * @param period 0 … 4095 µs, which is counted in whole microseconds; 0 for no limit
   * @throws dev.bluebell.hca.HcaException when the device does not do it
   */
  public void moderate(int count, Duration period) {
    lifetime.requireOpen();
    int micros = Math.toIntExact(Math.min(Integer.MAX_VALUE, period.toNanos() / 1000));
    byte[] unused =
        object.modify(
            CompletionCommands.moderate(
                number(),
                Ranges.require("count", count, 0, 0xffff),
                Ranges.require("period in µs", micros, 0, 0xfff)));
  }

  /**
   * Gives the queue another size. Completions that were not polled yet stay.
   *
   * <p>Belongs to the thread that polls.
   *
   * @param minEntries as for {@link Device#createCompletionQueue(int)}
   * @throws dev.bluebell.hca.HcaException when the queue holds more completions than the new size
   *     and the old one have room for, less one; nothing changed. Poll first.
   */
  public void resize(int minEntries) {
    lifetime.requireOpen();
    ring.requireOwner();
    requireSize(minEntries);
    int logEntries = Sizes.log2Ceiling(minEntries);
    if (1 << logEntries == entries) {
      return;
    }
    QueueMemory other = moveDevice(logEntries);
    QueueMemory before = memory;
    left = before;
    memory = other;
    ring.moveTo(
        new CompletionRingLayout(
            other.address(),
            logEntries,
            cqeBytes,
            number(),
            resources.record().address(),
            resources.register().address()));
    entries = 1 << logEntries;
    if (before != null) {
      before.umem().close();
    }
    left = null;
  }

  /** Lets the device go on in another ring, which it then writes to. */
  private QueueMemory moveDevice(int logEntries) {
    Teardown undo = new Teardown();
    try {
      QueueMemory other = QueueMemory.allocate(hca, (long) cqeBytes << logEntries, undo);
      CompletionRingLayout.initialize(other.address(), logEntries, cqeBytes);
      byte[] unused =
          object.modify(
              CompletionCommands.resize(number(), other.umem().number(), logEntries, cqeBytes));
      return other;
    } catch (RuntimeException e) {
      throw undo.runAfter(e);
    }
  }

  private void closeMemory() {
    if (left != null) {
      left.umem().close();
    }
    if (memory != null) {
      memory.umem().close();
    }
  }

  private void foundNothing() {
    ring.notePollWithoutResult();
    if (emptyPolls++ % ERROR_CHECK_INTERVAL == 0) {
      device.dispatchErrors();
    }
    requireHealthy();
  }

  private void requireHealthy() {
    int syndrome = failure;
    if (syndrome != 0) {
      throw new CompletionQueueFailedException(
          syndrome == HcaEvent.CQ_OVERRUN
              ? ("%s has overrun its %d entries and delivers nothing more: create it with more"
                      + " entries than completions can be outstanding, or poll more often")
                  .formatted(lifetime.name(), entries)
              : "%s failed with CQ error syndrome %d and delivers nothing more: create another"
                  .formatted(lifetime.name(), syndrome));
    }
  }

  /**
   * Asks for one event, for {@link #awaitEvent}. Completions that were there before cause none, so
   * poll after arming and before waiting, or use {@link #awaitCompletions}, which does all of this.
   *
   * @param solicitedOnly true when only a solicited or a failed completion shall cause the event
   */
  public void arm(boolean solicitedOnly) {
    events();
    ring.requireOwner();
    ring.arm(solicitedOnly);
  }

  /**
   * Waits for the event of an armed queue, without spinning.
   *
   * @param timeout how long at most
   * @return false when the time is over
   * @throws ClosedException when the queue is closed, also meanwhile
   * @throws CompletionQueueFailedException when it has overrun
   */
  public boolean awaitEvent(Duration timeout) throws InterruptedException {
    HcaEvent event = events().await(Math.max(0, timeout.toNanos()));
    if (event == null) {
      lifetime.requireNotClosing();
      return false;
    }
    take(event);
    return true;
  }

  /**
   * Waits until there are completions to poll, without spinning.
   *
   * @param timeout how long at most
   * @return false when the time is over and there are none
   * @throws ClosedException when the queue is closed, also meanwhile
   * @throws NotOwnerException when another thread polls
   * @throws CompletionQueueFailedException when it has overrun
   */
  public boolean awaitCompletions(Duration timeout) throws InterruptedException {
    long start = System.nanoTime();
    HcaEventChannel channel = events();
    ring.requireOwner();
    while (true) {
      if (isReady()) {
        return true;
      }
      for (HcaEvent event = channel.poll(); event != null; event = channel.poll()) {
        take(event);
      }
      ring.arm(false);
      if (isReady()) {
        return true;
      }
      Duration left = timeout.minusNanos(System.nanoTime() - start);
      if (!awaitEvent(left)) {
        return isReady();
      }
    }
  }

  /** True when a poll would find something. */
  boolean isReady() {
    if (ring.isReady()) {
      return true;
    }
    hca.progress();
    return ring.isReady();
  }

  private void take(HcaEvent event) {
    if (event.type() == HcaEvent.CQ_ERROR) {
      fail(event.syndrome());
      requireHealthy();
    }
    ring.eventTaken();
  }

  /** Lets the events of this queue come to a channel. */
  synchronized void joinChannel(HcaEventChannel channel, long cookie) {
    lifetime.requireOpen();
    if (inChannel || events != null) {
      throw new IllegalStateException(
          "%s is in a completion channel already, or was waited for by itself".formatted(this));
    }
    channel.subscribe(object, HcaEvent.COMPLETION, cookie);
    channel.subscribe(object, HcaEvent.CQ_ERROR, cookie);
    inChannel = true;
  }

  private synchronized HcaEventChannel events() {
    lifetime.requireOpen();
    if (inChannel) {
      throw new IllegalStateException("%s is in a completion channel: wait there".formatted(this));
    }
    HcaEventChannel channel = events;
    if (channel == null) {
      channel = hca.openEventChannel();
      channel.subscribe(object, HcaEvent.COMPLETION, 0);
      channel.subscribe(object, HcaEvent.CQ_ERROR, 0);
      teardown.add(channel::close);
      events = channel;
    }
    return channel;
  }

  /**
   * Lets another thread poll: the next one that polls, arms or waits has the queue. It belongs to
   * the thread that does so first, until this call or the end of that thread, if it was joined.
   *
   * @throws NotOwnerException when it belongs to another thread than the caller
   */
  public void handOver() {
    ring.handOver();
  }

  /**
   * Says in one paragraph why nothing completes: what the next slot of the ring holds and how a
   * poll reads it, and for each queue pair that completes here, what {@link QueuePair#diagnose}
   * says. Call it on the thread that polls, while nobody posts; it allocates, and asks the device.
   */
  public String diagnose() {
    return CompletionDiagnosis.of(this);
  }

  /** Size of the queue: the number asked for, rounded up to a power of two. */
  public int entries() {
    return entries;
  }

  /** Number of the queue, 24 bits. */
  public int number() {
    return object.number();
  }

  /** Destroys the queue and wakes a thread that waits for it. Idempotent. */
  @Override
  public synchronized void close() {
    if (lifetime.close(teardown)) {
      device.remove(this);
    }
  }

  @Override
  public String toString() {
    return lifetime.name();
  }

  Device device() {
    return device;
  }

  HcaObject object() {
    return object;
  }

  CompletionRing ring() {
    return ring;
  }

  Lifetime lifetime() {
    return lifetime;
  }

  void fail(int syndrome) {
    if (failure == 0) {
      boolean overrun = syndrome == HcaEvent.CQ_OVERRUN;
      CompletionQueueFailedEvent.tell(device.name(), number(), entries, overrun, syndrome);
    }
    failure = syndrome;
  }

  boolean hasFailed() {
    return failure != 0;
  }

  /** Size of an entry in bytes. */
  int cqeBytes() {
    return cqeBytes;
  }
}
