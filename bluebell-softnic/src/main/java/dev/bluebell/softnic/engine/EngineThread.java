package dev.bluebell.softnic.engine;

import dev.bluebell.hca.HcaPrecedence;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The thread of a device in mode {@link dev.bluebell.softnic.option.EngineMode#THREAD}. It never
 * rests while there is work. When idle it spins for a while, then sleeps, longer and longer up to a
 * maximum, which bounds how late it sees a doorbell. A poller that finds no completion wakes it.
 */
public final class EngineThread implements AutoCloseable {
  /**
   * How often the thread tries to enter the engine while a command owns it, before it sleeps: about
   * 20 µs.
   */
  private static final int SPINS_BEFORE_PAUSE = 512;

  private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

  /** Returned by {@link #workOnce} when a command owns the engine. */
  private static final int REFUSED = -1;

  /**
   * Period at which the watching thread checks whether a copy from or to a client's memory, or a
   * step of a thread with precedence, has lasted since the last look. Each delays others for at
   * most twice as long.
   */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private static final long JOIN_MILLIS = 10;

  private final Engine engine;
  private final String name;

  // The thread that runs the device now. It is replaced when a copy holds it up.
  private volatile Thread thread;
  private @Nullable Thread watch;
  private final long spinNanos;
  private final long maxSleepNanos;

  // As of the last look before a rest. Owned by the thread.
  private long nanosToNextTimer;
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
   * @param rest how the idle thread sleeps
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

  /**
   * Makes sure that no copy from or to another process's memory holds the device up from now on.
   */
  public synchronized void watch() {
    if (watch == null) {
      watch = Thread.ofPlatform().daemon().name(name + "-watch").start(this::look);
    }
  }

  /** Gives the thread precedence over others where processors are few; see {@link Precedence}. */
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
      // Its turn was waiting for a page when the device was closed.
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
        // One look per wake-up keeps an idle device cheap.
        if (sleep(sleep)) {
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

  // A command owns the engine, and will soon be done: this is no rest. Its thread may need this
  // processor. On some kernels a yield gives up a whole time slice; a sleep does not.
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
      if (!beforeRest) {
        return engine.step();
      }
      int done = engine.stepThoroughly();
      nanosToNextTimer = engine.nanosToNextTimer();
      return done;
    } finally {
      engine.exit();
    }
  }

  /** Sleeps if there is nothing to do, or does the work that it finds. */
  private boolean sleep(long nanos) {
    sleeping = true;
    // This finds a doorbell that rang before the flag was set; a later one wakes the thread or
    // waits until the sleep ends.
    int done = workOnce(true);
    long most = Math.min(nanos, nanosToNextTimer);
    if (done == 0 && most > 0) {
      rest.sleep(most);
    }
    sleeping = false;
    return done <= 0;
  }

  /**
   * Stops the thread, and waits until it no longer touches the device: it has ended, or it waits
   * for a page of a client.
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
