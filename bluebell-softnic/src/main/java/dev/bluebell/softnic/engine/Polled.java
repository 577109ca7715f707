package dev.bluebell.softnic.engine;

/**
 * Memory that software writes without a notification, so the engine polls it. Owned by the thread
 * that runs the engine.
 */
public interface Polled {

  /** Polls the likely places; returns how much was found. */
  int poll();

  /**
   * Polls everywhere, as is required before a rest, or a limited number of many places; returns how
   * much was found.
   */
  int pollThoroughly();

  /**
   * True when {@link #pollThoroughly} left places out: it must be called again before a long rest.
   */
  default boolean isLooking() {
    return false;
  }

  /** True when there is no place to poll. A hint: any thread may ask. */
  boolean isEmpty();
}
