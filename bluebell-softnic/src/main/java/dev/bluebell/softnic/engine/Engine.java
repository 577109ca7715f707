package dev.bluebell.softnic.engine;

import dev.bluebell.hca.HcaObserver;
import dev.bluebell.softnic.Clock;
import dev.bluebell.softnic.diagnosis.DeviceTime;
import dev.bluebell.softnic.diagnosis.Explanations;
import dev.bluebell.softnic.diagnosis.FlightRecorder;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.queue.ObjectTable;
import dev.bluebell.softnic.queue.UarPage;
import dev.bluebell.softnic.transport.QueuePair;
import dev.bluebell.softnic.transport.Scheduler;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Runs the device: polls doorbells, gives active queue pairs their turns, lets timers run out. One
 * thread at a time owns the engine and with it all state of the device; which thread that is may
 * change from step to step.
 */
public final class Engine implements Scheduler {
  /** Turns of one step at most, so that doorbells and timers are looked at again soon. */
  private static final int TURNS_PER_STEP = 16;

  /**
   * Pages that rang lately and are looked at in every step; the others are looked at in rotation.
   */
  private static final int HOT_PAGES = 4;

  private static final int COLD_PAGES_PER_STEP = 8;
  private static final int SPINS_BEFORE_YIELD = 64;
  private static final Logger LOGGER = System.getLogger(Engine.class.getName());

  private final Clock clock;
  private final DeviceTime time;
  private final AtomicInteger owned = new AtomicInteger();
  private final AtomicInteger waiting = new AtomicInteger();

  private final ObjectTable<QueuePair> allQueuePairs;
  private final FlightRecorder recorder;
  private final Explanations explanations;
  private final List<PageWatch> pages = new ArrayList<>();
  private final @Nullable PageWatch[] hot = new PageWatch[HOT_PAGES];
  private int nextHot;
  private int nextCold;
  private final ArrayDeque<PageWatch> sweeps = new ArrayDeque<>();

  private QueuePair[] active = new QueuePair[64];
  private int activeHead;
  private int activeCount;
  private int queuePairs;

  private final TimerQueue timers = new TimerQueue();
  private final List<QueuePair> receiveWatch = new ArrayList<>();
  private int nextReceiveWatch;

  /**
   * @param chip its cached clock is set by this engine
   * @param allQueuePairs the device's queue pairs, which doorbells name
   */
  public Engine(Clock clock, Chip chip, ObjectTable<QueuePair> allQueuePairs) {
    this.clock = clock;
    time = chip.time();
    recorder = chip.recorder();
    explanations = chip.explanations();
    this.allQueuePairs = allQueuePairs;
  }

  // ---- ownership

  /** Takes ownership if nobody has it and nobody waits for it. */
  public boolean tryEnter() {
    return waiting.get() == 0 && owned.compareAndSet(0, 1);
  }

  /** Waits for ownership. Not reentrant. */
  public void enter() {
    waiting.getAndIncrement();
    for (int spins = 0; !owned.compareAndSet(0, 1); spins++) {
      if (spins < SPINS_BEFORE_YIELD) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
    }
    waiting.getAndDecrement();
    time.set(clock.nanos());
  }

  /** Gives ownership back. */
  public void exit() {
    owned.setRelease(0);
  }

  // ---- what is on the device (owner only)

  public void addPage(UarPage page) {
    pages.add(new PageWatch(page, allQueuePairs, this, recorder, explanations));
  }

  /** True while there are pages to ring on. A hint: any thread may ask. */
  boolean canBeRung() {
    return !pages.isEmpty();
  }

  public void removePage(UarPage page) {
    pages.removeIf(watch -> watch.page() == page);
    sweeps.removeIf(watch -> watch.page() == page);
    for (int i = 0; i < hot.length; i++) {
      if (hot[i] != null && hot[i].page() == page) {
        hot[i] = null;
      }
    }
    nextCold = 0;
  }

  public void add(QueuePair queuePair, UarPage page) {
    watch(page).queuePairs().add(queuePair);
    timers.add(queuePair);
    queuePairs++;
    if (queuePairs > active.length) {
      QueuePair[] larger = new QueuePair[2 * active.length];
      for (int i = 0; i < activeCount; i++) {
        larger[i] = active[activeHead + i & active.length - 1];
      }
      active = larger;
      activeHead = 0;
    }
  }

  public void remove(QueuePair queuePair, UarPage page) {
    watch(page).queuePairs().remove(queuePair);
    timers.remove(queuePair);
    receiveWatch.remove(queuePair);
    queuePairs--;
    int kept = 0;
    for (int i = 0; i < activeCount; i++) {
      QueuePair other = active[activeHead + i & active.length - 1];
      if (other != queuePair) {
        active[activeHead + kept++ & active.length - 1] = other;
      }
    }
    activeCount = kept;
  }

  public void add(CompletionQueue queue, UarPage page) {
    watch(page).completionQueues().add(queue);
  }

  public void remove(CompletionQueue queue, UarPage page) {
    watch(page).completionQueues().remove(queue);
  }

  private PageWatch watch(UarPage page) {
    for (PageWatch watch : pages) {
      if (watch.page() == page) {
        return watch;
      }
    }
    throw new IllegalArgumentException(
        "UAR page %d is not on this device".formatted(page.number()));
  }

  // ---- scheduling (owner only)

  @Override
  public void activate(QueuePair queuePair) {
    if (!queuePair.isActive()) {
      queuePair.setActive(true);
      active[activeHead + activeCount & active.length - 1] = queuePair;
      activeCount++;
    }
  }

  @Override
  public void schedule(QueuePair queuePair) {
    timers.schedule(queuePair);
  }

  @Override
  public void watchReceives(QueuePair queuePair) {
    receiveWatch.add(queuePair);
  }

  /**
   * One duty cycle, which looks at some of the pages that did not ring lately.
   *
   * @return how much was done; 0 when there was nothing to do where it looked
   */
  public int step() {
    return step(COLD_PAGES_PER_STEP, 1);
  }

  /**
   * One duty cycle that looks everywhere: what must come before a rest.
   *
   * @return how much was done; 0 when the device waits for doorbells or for time
   */
  public int stepThoroughly() {
    return step(pages.size(), receiveWatch.size());
  }

  private int step(int coldPages, int failedQueuePairs) {
    long now = clock.nanos();
    time.set(now);
    int done = pollPages(coldPages);
    if (timers.next() <= now) {
      done += timers.run(now);
    }
    done += runActive();
    if (!receiveWatch.isEmpty()) {
      done += flushLateReceives(failedQueuePairs);
    }
    return done;
  }

  /**
   * Time until {@link #step} must be called even if no doorbell rings, in nanoseconds; {@link
   * Long#MAX_VALUE} for never.
   */
  public long nanosToNextTimer() {
    long next = timers.next();
    return next == Long.MAX_VALUE ? Long.MAX_VALUE : Math.max(0, next - time.now());
  }

  private int pollPages(int coldPages) {
    int done = 0;
    for (int i = 0; i < HOT_PAGES; i++) {
      PageWatch watch = hot[i];
      if (watch != null) {
        done += poll(watch);
      }
    }
    int cold = Math.min(pages.size(), coldPages);
    for (int i = 0; i < cold; i++) {
      nextCold = nextCold + 1 >= pages.size() ? 0 : nextCold + 1;
      PageWatch watch = pages.get(nextCold);
      int rang = poll(watch);
      if (rang > 0) {
        done += rang;
        makeHot(watch);
      }
    }
    return sweeps.isEmpty() ? done : done + sweep();
  }

  private int poll(PageWatch watch) {
    int rang = watch.poll();
    if (rang > 0 && watch.isToBeSwept() && !sweeps.contains(watch)) {
      sweeps.add(watch);
    }
    return rang;
  }

  private void makeHot(PageWatch watch) {
    for (PageWatch other : hot) {
      if (other == watch) {
        return;
      }
    }
    hot[nextHot] = watch;
    nextHot = nextHot + 1 & HOT_PAGES - 1;
  }

  /** Looks at some queue pairs whose doorbell may have been written over; how many. */
  private int sweep() {
    int looks = 0;
    for (int i = Math.min(sweeps.size(), HOT_PAGES); i > 0; i--) {
      PageWatch watch = sweeps.remove();
      looks += watch.sweep();
      if (watch.isToBeSwept()) {
        sweeps.add(watch);
      }
    }
    return looks;
  }

  private int runActive() {
    int done = 0;
    for (int turns = 0; turns < TURNS_PER_STEP && activeCount > 0; turns++) {
      QueuePair queuePair = active[activeHead];
      activeHead = activeHead + 1 & active.length - 1;
      activeCount--;
      queuePair.setActive(false);
      int turn = turn(queuePair);
      if (turn > 0) {
        activate(queuePair);
        done += turn;
      }
    }
    // Turns in which nothing was done are no reason to rest while others wait for theirs.
    return activeCount > 0 ? done + 1 : done;
  }

  // A defect of the device must not take the other queue pairs, or the thread, with it.
  private int turn(QueuePair queuePair) {
    try {
      return queuePair.turn();
    } catch (RuntimeException defect) {
      LOGGER.log(Level.ERROR, "the software device failed at " + queuePair, defect);
      abandon(
          queuePair,
          "the device itself failed at %s: %s; please report it".formatted(queuePair, defect));
      return 0;
    } catch (InternalError fault) {
      // What the JVM throws where others get SIGBUS.
      abandon(
          queuePair,
          "memory that %s uses is gone, most likely because a file that was mapped there was truncated; it does nothing more"
              .formatted(queuePair));
      return 0;
    }
  }

  private void abandon(QueuePair queuePair, String explanation) {
    explanations.add(HcaObserver.Subject.QUEUE_PAIR, queuePair.number(), explanation);
    queuePair.abandon();
  }

  // While there is other work, one queue pair a step: a crowd of failed ones must not slow the
  // others.
  private int flushLateReceives(int looks) {
    int done = 0;
    for (int i = 0; i < looks && !receiveWatch.isEmpty(); i++) {
      nextReceiveWatch = nextReceiveWatch + 1 >= receiveWatch.size() ? 0 : nextReceiveWatch + 1;
      QueuePair queuePair = receiveWatch.get(nextReceiveWatch);
      if (queuePair.isFlushingReceives()) {
        done += queuePair.flushLateReceives();
      } else {
        receiveWatch.remove(nextReceiveWatch);
      }
    }
    return done;
  }

  @Override
  public String toString() {
    return "engine: %d queue pairs, %d active, hot pages %s"
        .formatted(queuePairs, activeCount, Arrays.toString(hot));
  }
}
