package dev.bluebell.verbs;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaEventChannel;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.Cqc;
import dev.bluebell.hca.command.CreateCqIn;
import dev.bluebell.hca.command.View;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.verbs.ring.CompletionRing;
import dev.bluebell.verbs.ring.CompletionRingLayout;
import java.time.Duration;
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

  /** Keeps the ring's memory reachable, as the ring knows its address only. */
  private final QueueResources resources;

  private final CompletionRing ring;
  private final int entries;
  private @Nullable HcaEventChannel events;
  private int emptyPolls;
  private volatile int failure;

  CompletionQueue(Device device, int minEntries, CompletionQueueOptions options) {
    this.device = device;
    hca = device.hca();
    int most = device.attributes().maxCompletionEntries();
    if (minEntries < 1 || minEntries > most) {
      throw new IllegalArgumentException(
          "a completion queue of %s has 1 to %d entries, not %d"
              .formatted(device.name(), most, minEntries));
    }
    if (options.completionVector() >= hca.completionVectors()) {
      throw new IllegalArgumentException(
          "%s has %d completion vectors, so there is no number %d"
              .formatted(device.name(), hca.completionVectors(), options.completionVector()));
    }
    int logEntries = Sizes.log2Ceiling(minEntries);
    entries = 1 << logEntries;
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
          .set(
              Cqc.CQE_SZ,
              options.cqeBytes() == Cqe.BYTES_128 ? Cqc.CQE_SZ_128_BYTES : Cqc.CQE_SZ_64_BYTES)
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
              resources.register().address());
      ring = new CompletionRing(layout, device.queues(), hca.diagnosis().orElse(null));
      teardown.add(ring::close);
      teardown.add(object::close);
      lifetime = new Lifetime("CQ 0x%x".formatted(object.number()));
      device.watchErrors(this);
      teardown.add(() -> device.unwatchErrors(this));
    } catch (RuntimeException e) {
      throw teardown.runAfter(e);
    }
  }

  /**
   * Consumes the completions that are there, at most as many as the queue has entries.
   *
   * @param handler called for each
   * @return how many it was called for
   * @throws IllegalStateException when the queue is closed, has overrun, or holds an entry that
   *     makes no sense
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
    if (Checks.ENABLED) {
      lifetime.requireOpen();
    }
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
    if (Checks.ENABLED) {
      lifetime.requireOpen();
    }
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
      throw new IllegalStateException(
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
    ring.arm(solicitedOnly);
  }

  /**
   * Waits for the event of an armed queue, without spinning.
   *
   * @param timeout how long at most
   * @return false when the time is over
   * @throws IllegalStateException when the queue has overrun or is closed
   */
  public boolean awaitEvent(Duration timeout) throws InterruptedException {
    HcaEvent event = events().await(Math.max(0, timeout.toNanos()));
    if (event == null) {
      lifetime.requireOpen();
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
   * @throws IllegalStateException when the queue has overrun or is closed
   */
  public boolean awaitCompletions(Duration timeout) throws InterruptedException {
    long start = System.nanoTime();
    HcaEventChannel channel = events();
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

  private synchronized HcaEventChannel events() {
    lifetime.requireOpen();
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
    failure = syndrome;
  }
}
