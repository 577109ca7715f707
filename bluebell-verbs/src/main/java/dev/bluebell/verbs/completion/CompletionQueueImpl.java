package dev.bluebell.verbs.completion;

import static java.util.Objects.requireNonNull;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaEventChannel;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.command.CqCommands.CreateCqIn;
import dev.bluebell.hca.structure.View;
import dev.bluebell.verbs.ClosedException;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionHandler;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionQueueFailedException;
import dev.bluebell.verbs.CompletionQueueOptions;
import dev.bluebell.verbs.CompressionAttributes;
import dev.bluebell.verbs.CqeCompression;
import dev.bluebell.verbs.MiniCqeFormat;
import dev.bluebell.verbs.NotOwnerException;
import dev.bluebell.verbs.command.CompletionCommands;
import dev.bluebell.verbs.jfr.CompletionQueueFailedEvent;
import dev.bluebell.verbs.jfr.Recorder;
import dev.bluebell.verbs.object.DeviceContext;
import dev.bluebell.verbs.object.DeviceObject;
import dev.bluebell.verbs.object.QueueMemory;
import dev.bluebell.verbs.object.QueueResources;
import dev.bluebell.verbs.object.Teardown;
import dev.bluebell.verbs.ring.CompletionRing;
import dev.bluebell.verbs.ring.CompletionRingLayout;
import dev.bluebell.verbs.value.Ranges;
import dev.bluebell.verbs.value.Sizes;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Implements {@link CompletionQueue}. */
public final class CompletionQueueImpl extends DeviceObject implements CompletionQueue {
  private static final int ERROR_CHECK_INTERVAL = 64;
  private final Hca hca;
  private final HcaObject object;
  private final int cqeBytes;
  private final CqeCompression compression;

  /** Keeps the doorbell record, and the first ring's memory, reachable. */
  private final QueueResources resources;

  /** Keeps the ring's memory reachable: the ring has only its address. */
  private @Nullable QueueMemory memory;

  /**
   * Keeps the old ring reachable when the device resized the queue incorrectly and polls continue
   * there.
   */
  private @Nullable QueueMemory left;

  private final CompletionRing ring;
  private int entries;

  /** The events of this queue, or of the channel that it is in. */
  private @Nullable HcaEventChannel events;

  private boolean inChannel;

  /** A wakeup that came before the events had a channel. */
  private boolean woken;

  private int emptyPolls;
  private volatile int failure;

  public CompletionQueueImpl(DeviceContext device, int minEntries, CompletionQueueOptions options) {
    super(device, new Teardown(), List.of());
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
    // Freed last: the ring that the queue has at that time.
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
      teardown.add(object::close);
      memory = resources.memory();
      ring =
          new CompletionRing(
              layout(address, logEntries).compressed(compression, miniFormat),
              device.queues(),
              device.localMemory(),
              hca.diagnosis().orElse(null));
      ring.belongTo(device.name(), device.linkLayer());
      ring.keepReachable(resources.memory());
      teardown.addAfterLatest(ring::close);
      teardown.addAfterLatest(device.watchErrors(object, this::fail));
    } catch (RuntimeException | Error e) {
      throw teardown.runAfter(e);
    }
  }

  private CompletionRingLayout layout(long address, int logEntries) {
    return new CompletionRingLayout(
        address,
        logEntries,
        cqeBytes,
        number(),
        resources.record().address(),
        resources.register().address());
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
    MiniCqeFormat format = wanted == null ? richest(offered.formats()) : wanted;
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

  /** The most detailed format. */
  private static MiniCqeFormat richest(Set<MiniCqeFormat> formats) {
    return formats.contains(MiniCqeFormat.CSUM_STRIDX)
        ? MiniCqeFormat.CSUM_STRIDX
        : MiniCqeFormat.HASH;
  }

  @Override
  public int poll(CompletionHandler handler) {
    return poll(handler, entries);
  }

  @Override
  public int poll(CompletionHandler handler, int max) {
    ring.requireOwner();
    int count = ring.poll(handler, max);
    if (count == 0 && max > 0) {
      // Here, so that it costs nothing when there are completions, whose handling needs it.
      requireNonNull(handler, "the handler is null");
      hca.progress();
      count = ring.poll(handler, max);
      if (count == 0) {
        foundNothing();
      }
    }
    return count;
  }

  @Override
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

  @Override
  public synchronized void moderate(int count, Duration period) {
    lifetime.requireOpen();
    requireNonNull(period, "the period is null");
    int micros =
        Math.clamp(TimeUnit.MICROSECONDS.convert(period), Integer.MIN_VALUE, Integer.MAX_VALUE);
    byte[] unused =
        object.modify(
            CompletionCommands.moderate(
                number(),
                requireNonNull(memory).umem().number(),
                Ranges.require("count", count, 0, 0xffff),
                Ranges.require("period in µs", micros, 0, 0xfff)));
  }

  @Override
  public synchronized void resize(int minEntries) {
    lifetime.requireOpen();
    ring.requireOwner();
    requireHealthy();
    requireSize(minEntries);
    int logEntries = Sizes.log2Ceiling(minEntries);
    if (1 << logEntries == entries) {
      return;
    }
    QueueMemory other = moveDevice(logEntries);
    QueueMemory before = memory;
    left = before;
    memory = other;
    ring.moveTo(layout(other.address(), logEntries));
    ring.keepReachable(other);
    entries = 1 << logEntries;
    if (before != null) {
      before.umem().close();
    }
    left = null;
  }

  /** Makes the device continue in a new ring. */
  private QueueMemory moveDevice(int logEntries) {
    Teardown undo = new Teardown();
    try {
      QueueMemory other = QueueMemory.allocate(hca, (long) cqeBytes << logEntries, undo);
      CompletionRingLayout.initialize(other.address(), logEntries, cqeBytes);
      byte[] unused =
          object.modify(
              CompletionCommands.resize(number(), other.umem().number(), logEntries, cqeBytes));
      return other;
    } catch (RuntimeException | Error e) {
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

  @Override
  public void arm(boolean solicitedOnly) {
    events();
    ring.requireOwner();
    ring.arm(solicitedOnly);
  }

  @Override
  public boolean awaitEvent(Duration timeout) throws InterruptedException {
    requireNonNull(timeout, "the timeout is null");
    HcaEventChannel channel = events();
    ring.requireOwner();
    requireHealthy();
    HcaEvent event = channel.await(timeout);
    if (event == null) {
      requireNotClosing();
      // Throws if the device is lost: channels of such a device do not wait.
      hca.progress();
      return false;
    }
    take(event);
    return true;
  }

  @Override
  public boolean awaitCompletions(Duration timeout) throws InterruptedException {
    long start = System.nanoTime();
    requireNonNull(timeout, "the timeout is null");
    long nanos = Math.max(0, TimeUnit.NANOSECONDS.convert(timeout));
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
      Duration left = Duration.ofNanos(nanos - (System.nanoTime() - start));
      if (!awaitEvent(left)) {
        return isReady();
      }
    }
  }

  /**
   * Makes the calling thread the owner.
   *
   * @return false when another thread closes the queue
   * @throws NotOwnerException when the queue belongs to another thread
   */
  public boolean own() {
    try {
      ring.requireOwner();
      return true;
    } catch (ClosedException e) {
      return false;
    }
  }

  /** True when a poll would find something. */
  private boolean isReady() {
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

  @Override
  public synchronized void close() {
    if (!lifetime.isClosed()) {
      super.close();
      if (inChannel) {
        // The thread that waits there drops what it has not polled.
        requireNonNull(events).wakeup();
      }
    }
  }

  /** Sends the events of this queue to a channel. */
  public synchronized void joinChannel(HcaEventChannel channel, long cookie) {
    lifetime.requireOpen();
    if (events != null) {
      throw new IllegalStateException(
          "%s is already in a completion channel, or was awaited without one".formatted(this));
    }
    subscribe(channel, cookie);
    inChannel = true;
    use(channel);
  }

  private void use(HcaEventChannel channel) {
    events = channel;
    if (woken) {
      channel.wakeup();
    }
  }

  @Override
  public synchronized void wakeup() {
    woken = true;
    // The channel of a closed queue may still serve others.
    if (events != null && !lifetime.isClosed()) {
      events.wakeup();
    }
  }

  private void subscribe(HcaEventChannel channel, long cookie) {
    channel.subscribe(object, HcaEvent.COMPLETION, cookie);
    channel.subscribe(object, HcaEvent.CQ_ERROR, cookie);
    // The channel does not get errors that came before.
    device.dispatchErrors();
  }

  private void requireNotClosing() {
    try {
      lifetime.requireNotClosing();
    } catch (ClosedException e) {
      // If another thread closed it, the calling thread drops what it has not polled.
      ring.handOver();
      throw e;
    }
  }

  private synchronized HcaEventChannel events() {
    requireNotClosing();
    if (inChannel) {
      throw new IllegalStateException(
          "%s is in a completion channel: wait on the channel".formatted(this));
    }
    HcaEventChannel channel = events;
    if (channel == null) {
      channel = openEvents();
      teardown.addAfterLatest(channel::close);
      use(channel);
    }
    return channel;
  }

  private HcaEventChannel openEvents() {
    Teardown undo = new Teardown();
    try {
      HcaEventChannel channel = hca.openEventChannel();
      undo.add(channel::close);
      subscribe(channel, 0);
      return channel;
    } catch (RuntimeException | Error e) {
      throw undo.runAfter(e);
    }
  }

  @Override
  public void handOver() {
    ring.handOver();
  }

  @Override
  public String diagnose() {
    return CompletionDiagnosis.of(this);
  }

  @Override
  public int entries() {
    return entries;
  }

  @Override
  public int number() {
    return object.number();
  }

  @Override
  public String toString() {
    return "CQ 0x%x".formatted(object.number());
  }

  public CompletionRing ring() {
    return ring;
  }

  public void fail(int syndrome) {
    if (failure == 0 && Recorder.isThere()) {
      boolean overrun = syndrome == HcaEvent.CQ_OVERRUN;
      new CompletionQueueFailedEvent(device.name(), number(), entries, overrun, syndrome).commit();
    }
    failure = syndrome;
  }

  public boolean hasFailed() {
    return failure != 0;
  }

  /** Size of an entry in bytes. */
  public int cqeBytes() {
    return cqeBytes;
  }
}
