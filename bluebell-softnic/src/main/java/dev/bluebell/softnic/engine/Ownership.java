package dev.bluebell.softnic.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The lock of the engine. The data path takes it if it can and never waits; a command waits. While
 * both want it, each has it for as long as the other did. Among waiting commands, the next is of
 * the client whose commands took the least time. Thread-safe.
 */
final class Ownership {
  private static final int FREE = 0;
  private static final int DATA = 1;
  private static final int COMMAND = 2;

  private static final int SPINS_BEFORE_PARK = 128;
  private static final long PARK_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  /**
   * Time after which a command no longer leaves the engine to a data path that does not take it.
   */
  private static final long PATIENCE_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  /** Time after which the data path no longer waits for the next command. */
  private static final long AWAY_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  /** Time that the data path is granted then. */
  private static final long GRANTED_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** The most time that the data path is owed. */
  private static final long MAX_OWED_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final LongSupplier clock;
  private final AtomicInteger owner = new AtomicInteger(FREE);

  // Number of commands that may have their turn.
  private final AtomicInteger waiting = new AtomicInteger();

  // Written by the owner. Time that the data path may have before the next command; negative when
  // its last step took longer than that.
  private volatile long owed;

  // The thread of the data path since it was refused, until it has nothing to do.
  private volatile @Nullable Thread refused;

  // Since when the engine has been free for the next command, which did not come. Only for the data
  // path.
  private boolean isRefused;
  private long refusedAt;

  // Guarded by this.
  private final List<Waiter> waiters = new ArrayList<>();
  private long floor;

  // The next of them.
  private volatile @Nullable Waiter first;

  /** A command that waits. */
  static final class Waiter {
    private final Client client;
    private final Thread thread;
    private volatile boolean parked;

    Waiter(Client client, Thread thread) {
      this.client = client;
      this.thread = thread;
    }
  }

  /**
   * @param clock nanoseconds that pass whether the device does something or not
   */
  Ownership(LongSupplier clock) {
    this.clock = clock;
  }

  // ---- the data path

  /** Takes ownership for the data path if it may have it now. */
  boolean tryEnter() {
    if ((waiting.get() == 0 || owed > 0 || isNextAway()) && owner.compareAndSet(FREE, DATA)) {
      return true;
    }
    refused = Thread.currentThread();
    return false;
  }

  /** True when the next command does not come because its thread has no processor. */
  private boolean isNextAway() {
    if (owner.get() != FREE) {
      isRefused = false;
      return false;
    }
    long now = clock.getAsLong();
    if (!isRefused) {
      isRefused = true;
      refusedAt = now;
    }
    boolean away = now - refusedAt >= AWAY_NANOS;
    if (away) {
      isRefused = false;
      owed = GRANTED_NANOS;
    }
    return away;
  }

  // ---- commands

  /**
   * Waits for ownership for a command. Not reentrant. An interrupt does not end the wait, and stays
   * pending.
   */
  void await(Client client) {
    Waiter waiter = join(client, Thread.currentThread());
    boolean interrupted = false;
    long since = 0;
    long lastOwed = 0;
    for (int spins = 0; !tryEnter(waiter, false); spins++) {
      if (first == waiter && isDataBefore(waiter)) {
        long now = clock.getAsLong();
        if (owed != lastOwed) {
          lastOwed = owed;
          since = now;
        } else if (now - since >= PATIENCE_NANOS && tryEnter(waiter, true)) {
          break;
        }
      }
      if (spins < SPINS_BEFORE_PARK) {
        Thread.onSpinWait();
      } else {
        // An interrupted thread would not sleep. It must: virtual threads that only yield can keep
        // the one that is next from running.
        interrupted |= Thread.interrupted();
        waiter.parked = true;
        LockSupport.parkNanos(PARK_NANOS);
        waiter.parked = false;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** False when only the thread of the command could run the data path: it can't do both. */
  private boolean isDataBefore(Waiter waiter) {
    Thread data = refused;
    return data != null && !data.equals(waiter.thread) && owed > 0;
  }

  /** Queues a command of a client, which a thread waits to execute. */
  synchronized Waiter join(Client client, Thread thread) {
    Waiter waiter = new Waiter(client, thread);
    client.commanded = Math.max(client.commanded, floor);
    waiters.add(waiter);
    chooseFirst();
    return waiter;
  }

  /** Lets the commands of a client wait until {@link #release}. */
  synchronized void hold(Client client) {
    client.held++;
    chooseFirst();
  }

  synchronized void release(Client client) {
    client.held--;
    chooseFirst();
  }

  /** True while the commands of a client wait. */
  synchronized boolean isHeld(Client client) {
    return client.held > 0;
  }

  private void chooseFirst() {
    Waiter least = null;
    int count = 0;
    for (Waiter waiter : waiters) {
      if (waiter.client.held == 0) {
        count++;
        if (least == null || waiter.client.commanded < least.client.commanded) {
          least = waiter;
        }
      }
    }
    first = least;
    waiting.set(count);
  }

  /**
   * Takes ownership for a command if it may have it now.
   *
   * @param impatient true to take it also when the data path is owed time
   */
  boolean tryEnter(Waiter waiter, boolean impatient) {
    if (first != waiter
        || !impatient && isDataBefore(waiter)
        || !owner.compareAndSet(FREE, COMMAND)) {
      return false;
    }
    synchronized (this) {
      if (waiter.client.held > 0) {
        // The previous owner put the client on hold just before.
        exit();
        return false;
      }
      waiters.remove(waiter);
      floor = Math.max(floor, waiter.client.commanded);
      chooseFirst();
    }
    return true;
  }

  // ---- the owner

  /** True when the owner must report how long it owned the engine, because others are owed time. */
  boolean isTimed() {
    return owed > 0 || owner.getPlain() == COMMAND;
  }

  /**
   * Charges the owner for its time.
   *
   * @param nanos how long it owned the engine
   * @param busy whether the data path has more to do; ignored for a command
   */
  void charge(Client client, long nanos, boolean busy) {
    long spent = Math.max(1, nanos);
    if (owner.getPlain() == COMMAND) {
      owed = Math.min(MAX_OWED_NANOS, owed + spent);
      synchronized (this) {
        client.commanded += spent;
        chooseFirst();
      }
    } else {
      owed = busy ? owed - spent : 0;
      refused = busy ? Thread.currentThread() : null;
    }
  }

  /** Gives ownership back. */
  void exit() {
    owner.setRelease(FREE);
    if (waiting.get() != 0) {
      wakeFirst();
    }
  }

  private void wakeFirst() {
    Waiter next = first;
    if (next != null && next.parked && !isDataBefore(next)) {
      LockSupport.unpark(next.thread);
    }
  }
}
