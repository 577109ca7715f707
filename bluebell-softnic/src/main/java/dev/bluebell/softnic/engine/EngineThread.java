package dev.bluebell.softnic.engine;

import dev.bluebell.hca.HcaPrecedence;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The thread of a device in mode {@link dev.bluebell.softnic.option.EngineMode#THREAD}. While there
 * is work it never rests; when there is none it spins for a while, then sleeps, longer and longer
 * up to a maximum, which bounds how late it sees a doorbell. A poller that finds nothing wakes it.
 */
public final class EngineThread implements AutoCloseable {
  /** How often the thread asks for what a command has before it sleeps, about 20 µs. */
  private static final int SPINS_BEFORE_PAUSE = 512;

  private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

  /** What {@link #workOnce} has done when a command owns the engine. */
  private static final int REFUSED = -1;

  /**
   * How often the watching thread looks whether a copy from or to a client's memory, or a step of a
   * thread that has precedence, has not ended since the last look. Each delays others for twice as
   * long at most.
   */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private static final long JOIN_MILLIS = 10;

  private final Engine engine;
  private final String name;

  // Who runs the device now. One that is in a copy that lasts is replaced.
  private volatile Thread thread;
  private @Nullable Thread watch;
  private final long spinNanos;
  private final long maxSleepNanos;
  private final Sleep rest;
  private volatile boolean stopped;
  private volatile boolean ended;
  private volatile boolean sleeping;
  private volatile @Nullable HcaPrecedence means;
  private volatile Precedence precedence = new Precedence(System::nanoTime);
  private final int processors = Runtime.getRuntime().availableProcessors();

  /**
   * @param spinNanos how long the idle thread spins before it sleeps
   * @param maxSleepNanos how long the idle thread sleeps at most, at least 1
   * @param rest how it sleeps
   */
  public EngineThread(Engine engine, String name, long spinNanos, long maxSleepNanos, Sleep rest) {
    this.rest = rest;
    this.engine = engine;
    this.name = name;
    this.spinNanos = spinNanos;
    this.maxSleepNanos = maxSleepNanos;
    thread = newThread();
  }

  private Thread newThread() {
    return Thread.ofPlatform().daemon().name(name).unstarted(this::run);
  }

  public void start() {
    thread.start();
  }

  /** Lets no copy from or to another process's memory hold the device up from now on. */
  public synchronized void watch() {
    if (watch == null) {
      watch = Thread.ofPlatform().daemon().name(name + "-watch").start(this::look);
    }
  }

  /** Lets the thread come before others where processors are few, as {@link Precedence} says. */
  public void precede(HcaPrecedence precedence) {
    means = precedence;
    watch();
  }

  private void look() {
    HcaPrecedence watched = null;
    while (!ended) {
      HcaPrecedence given = means;
      if (given != null && !given.equals(watched)) {
        given.watch();
        watched = given;
      }
      LockSupport.parkNanos(this, LOOK_NANOS);
      precedence.look();
      Thread stuck = engine.copies().look();
      if (stuck != null && stuck.equals(thread)) {
        Thread next = newThread();
        thread = next;
        next.start();
      }
    }
  }

  /** Wakes the thread if it sleeps; costs one volatile read if it does not. Any thread. */
  public void wake() {
    if (sleeping) {
      sleeping = false;
      rest.wake(thread);
    }
  }

  private void run() {
    try {
      runDevice();
    } catch (EngineEnded closed) {
      // Its turn waited until then.
    }
  }

  private void runDevice() {
    Precedence own = new Precedence(System::nanoTime);
    precedence = own;
    Idleness idleness = new Idleness(System::nanoTime, spinNanos, maxSleepNanos);
    int refusals = 0;
    while (!stopped && thread.equals(Thread.currentThread())) {
      int done = workOnce(false);
      if (done == REFUSED) {
        pause(refusals++, own);
        continue;
      }
      refusals = 0;
      if (done > 0) {
        own.worked();
        idleness.end();
        continue;
      }
      boolean crowded = engine.isCrowded(processors);
      boolean first = own.idle(means, crowded);
      long sleep = idleness.next(first, crowded, engine.canBeRung());
      if (sleep > 0) {
        // One look for each waking: that is what keeps an idle device cheap.
        if (sleep(Math.min(sleep, engine.nanosToNextTimer()))) {
          own.rested();
        } else {
          idleness.end();
        }
      } else {
        Thread.onSpinWait();
      }
    }
    own.end();
  }

  // Commands have their turn, which is soon over: this is no rest. One whose thread has no
  // processor may need this one. Whoever yields it gives up a whole time slice on some kernels, and
  // whoever sleeps does not.
  private static void pause(int refusals, Precedence precedence) {
    if (refusals >= SPINS_BEFORE_PAUSE || precedence.isTaken()) {
      LockSupport.parkNanos(PAUSE_NANOS);
    } else {
      Thread.onSpinWait();
    }
  }

  private int workOnce(boolean beforeRest) {
    if (!engine.tryEnter()) {
      return REFUSED;
    }
    try {
      return beforeRest ? engine.stepThoroughly() : engine.step();
    } finally {
      engine.exit();
    }
  }

  /** Sleeps, or does what there is to do. */
  private boolean sleep(long nanos) {
    sleeping = true;
    // A doorbell that rang before the flag was up is found here; one that rings later wakes the
    // thread or waits for the sleep's end.
    int done = workOnce(true);
    if (done == 0 && nanos > 0) {
      rest.sleep(nanos);
    }
    sleeping = false;
    return done <= 0;
  }

  /**
   * Stops the thread and waits until it has left the device alone, or until it waits for a page of
   * a client, which leaves the device alone as well.
   */
  @Override
  public void close() {
    stopped = true;
    boolean interrupted = false;
    Thread last;
    do {
      last = thread;
      rest.wake(last);
      try {
        last.join(JOIN_MILLIS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    } while (last.isAlive() || !last.equals(thread));
    ended = true;
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
