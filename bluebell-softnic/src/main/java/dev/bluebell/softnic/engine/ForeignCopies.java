package dev.bluebell.softnic.engine;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Knows whether whoever runs the device is in a copy from or to the memory of another process: it
 * lasts as long as a page fault there, and that may be for ever. Somebody else looks from time to
 * time and takes the engine from a copy that lasts; the thread in it waits for the engine before it
 * goes on.
 */
public final class ForeignCopies {
  /** What {@link #begin} returns when there is to be no copy. */
  public static final long REFUSED = 0;

  // Low bits of the state; the others count copies.
  private static final long COPYING = 1;
  private static final long NEXT = 2;

  private final Engine engine;
  private final AtomicLong state = new AtomicLong();

  // Of the copy that is under way.
  private @Nullable Client owner;
  private @Nullable Thread thread;

  // What the last look found.
  private long seen;

  ForeignCopies(Engine engine) {
    this.engine = engine;
  }

  // ---- who owns the engine

  /**
   * Begins a copy.
   *
   * @param memory whose memory it is
   * @return what {@link #end} is given; {@link #REFUSED} while another copy waits for that memory
   */
  public long begin(Client memory) {
    if (memory.frozen > 0) {
      return REFUSED;
    }
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

  // ---- who looks

  /**
   * Takes the engine from a copy that was under way at the last look already. For one thread, which
   * does not run the device.
   *
   * @return the thread in the copy, which does not run the device now; null when nothing was taken
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
