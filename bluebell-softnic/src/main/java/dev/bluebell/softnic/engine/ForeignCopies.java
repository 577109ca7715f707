package dev.bluebell.softnic.engine;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Tracks copies from and to the memory of other processes. Such a copy lasts as long as a page
 * fault there, which may be for ever. A watching thread looks from time to time and takes the
 * engine from a copy that lasts; the copying thread waits for the engine before it continues.
 */
public final class ForeignCopies {
  // Low bits of the state; the upper bits count copies.
  private static final long COPYING = 1;
  private static final long NEXT = 2;

  private final Engine engine;
  private final AtomicLong state = new AtomicLong();

  // The copy that is under way.
  private @Nullable Client owner;
  private @Nullable Thread thread;

  // The state at the last look.
  private long seen;

  ForeignCopies(Engine engine) {
    this.engine = engine;
  }

  // ---- the thread that runs the engine

  /**
   * Begins a copy. A client that waits for another page of its memory gets no turns, but turns that
   * had begun before, and resume meanwhile, copy from and to its memory.
   *
   * @param memory the client whose memory it is
   * @return the argument for {@link #end}
   */
  public long begin(Client memory) {
    long copy = (state.getPlain() | COPYING) + NEXT;
    owner = memory;
    thread = Thread.currentThread();
    state.setRelease(copy);
    return copy;
  }

  /** Ends a copy that began. If the engine was taken meanwhile, waits for it. */
  public void end(long copy) {
    if (!state.compareAndSet(copy, copy - COPYING)) {
      engine.resume(copy);
    }
  }

  // ---- the watching thread

  /**
   * Takes the engine from a copy that was already under way at the last look. For one thread, which
   * must not be the one that runs the device.
   *
   * @return the copying thread, which no longer runs the device; null when nothing was taken
   */
  public @Nullable Thread look() {
    long copy = state.getAcquire();
    boolean lasts = copy == seen && (copy & COPYING) != 0;
    seen = copy;
    Client memory = owner;
    Thread stuck = thread;
    if (!lasts || memory == null || !state.compareAndSet(copy, copy - COPYING)) {
      return null;
    }
    engine.suspend(copy, memory);
    return stuck;
  }
}
