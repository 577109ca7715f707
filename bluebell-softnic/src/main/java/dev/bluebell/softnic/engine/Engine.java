package dev.bluebell.softnic.engine;

import dev.bluebell.softnic.diagnosis.DeviceTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the device: looks at what must be polled, lets deadlines come, gives active work its turns.
 * One thread at a time owns the engine and with it all state of the device; which thread that is
 * may change from step to step.
 */
public final class Engine implements Scheduler {
  /** Turns of one step at most, so that doorbells and timers are looked at again soon. */
  private static final int TURNS_PER_STEP = 16;

  private static final int SPINS_BEFORE_YIELD = 64;

  private final LongSupplier clock;
  private final DeviceTime time;
  private final @Nullable Adversary adversary;
  private final AtomicInteger owned = new AtomicInteger();
  private final AtomicInteger waiting = new AtomicInteger();

  private final List<Polled> polled = new ArrayList<>();
  private Work[] active = new Work[64];
  private int activeHead;
  private int activeCount;
  private final TimerQueue timers = new TimerQueue();

  /**
   * @param clock nanoseconds; never goes back
   * @param time the device's cached clock, which this engine sets
   */
  public Engine(LongSupplier clock, DeviceTime time) {
    this(clock, time, null);
  }

  /**
   * @param adversary draws who has the next turn; null when turns go round
   */
  public Engine(LongSupplier clock, DeviceTime time, @Nullable Adversary adversary) {
    this.clock = clock;
    this.time = time;
    this.adversary = adversary;
    time.follow(clock);
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
    time.set(clock.getAsLong());
  }

  /** Gives ownership back. */
  public void exit() {
    owned.setRelease(0);
  }

  // ---- scheduling (owner only)

  /** Looks at something in each step from now on. */
  public void poll(Polled looked) {
    polled.add(looked);
  }

  /** False when nobody can ring: there is no place to look at. A hint: any thread may ask. */
  boolean canBeRung() {
    for (int i = 0; i < polled.size(); i++) {
      if (!polled.get(i).isEmpty()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void activate(Work work) {
    if (!work.active) {
      work.active = true;
      if (activeCount == active.length) {
        grow();
      }
      active[activeHead + activeCount & active.length - 1] = work;
      activeCount++;
    }
  }

  private void grow() {
    Work[] larger = new Work[2 * active.length];
    for (int i = 0; i < activeCount; i++) {
      larger[i] = active[activeHead + i & active.length - 1];
    }
    active = larger;
    activeHead = 0;
  }

  @Override
  public void schedule(Work work) {
    timers.schedule(work);
  }

  /** Forgets work that is gone: it gets no turn any more and hears of no deadline. */
  public void remove(Work work) {
    timers.remove(work);
    int kept = 0;
    for (int i = 0; i < activeCount; i++) {
      Work other = active[activeHead + i & active.length - 1];
      if (!other.equals(work)) {
        active[activeHead + kept++ & active.length - 1] = other;
      }
    }
    activeCount = kept;
    work.active = false;
  }

  // ---- duty cycles (owner only)

  /**
   * One duty cycle, which looks at the likely places.
   *
   * @return how much was done; 0 when there was nothing to do where it looked
   */
  public int step() {
    return step(false);
  }

  /**
   * One duty cycle that looks everywhere: what must come before a rest.
   *
   * @return how much was done; 0 when the device waits for doorbells or for time
   */
  public int stepThoroughly() {
    return step(true);
  }

  private int step(boolean thoroughly) {
    time.expire();
    int done = 0;
    for (int i = 0; i < polled.size(); i++) {
      Polled looked = polled.get(i);
      done += thoroughly ? looked.pollThoroughly() : looked.poll();
      time.renew();
    }
    time.renew();
    long now = time.now();
    if (timers.next() <= now) {
      done += timers.run(now);
    }
    return done + runActive();
  }

  /**
   * Time until {@link #step} must be called even if nothing is announced, in nanoseconds; {@link
   * Long#MAX_VALUE} for never.
   */
  public long nanosToNextTimer() {
    long next = timers.next();
    return next == Long.MAX_VALUE ? Long.MAX_VALUE : Math.max(0, next - time.now());
  }

  /**
   * Time until the next deadline, of a device that does nothing before it, in nanoseconds; {@link
   * Long#MAX_VALUE} when there is none.
   */
  public long nanosToNextDeadline() {
    long next = timers.nextDeadline();
    return next == Long.MAX_VALUE ? Long.MAX_VALUE : Math.max(0, next - time.now());
  }

  private int runActive() {
    int done = 0;
    for (int turns = 0; turns < TURNS_PER_STEP && activeCount > 0; turns++) {
      if (adversary != null) {
        drawNext(adversary);
      }
      Work work = active[activeHead];
      activeHead = activeHead + 1 & active.length - 1;
      activeCount--;
      work.active = false;
      int turn = Guard.turn(work);
      if (turn > 0) {
        activate(work);
        done += turn;
      }
    }
    // Turns in which nothing was done are no reason to rest while others wait for theirs.
    return activeCount > 0 ? done + 1 : done;
  }

  private void drawNext(Adversary from) {
    int drawn = activeHead + from.below(activeCount) & active.length - 1;
    Work next = active[drawn];
    active[drawn] = active[activeHead];
    active[activeHead] = next;
  }

  @Override
  public String toString() {
    return "engine: %d active".formatted(activeCount);
  }
}
