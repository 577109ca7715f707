package dev.bluebell.softnic.engine;

/**
 * Memory that software writes without a notification, so the engine polls it. Owned by the thread
 * that runs the engine.
 */
public interface Polled {

  /** Polls the likely places; returns how much was found. */
  int poll();

  /** Polls everywhere, as is required before a rest; returns how much was found. */
  int pollThoroughly();

  /** True when there is no place to poll. A hint: any thread may ask. */
  boolean isEmpty();
}
