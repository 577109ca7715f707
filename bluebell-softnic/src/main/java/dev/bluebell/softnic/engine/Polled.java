package dev.bluebell.softnic.engine;

/**
 * What nothing announces and the engine therefore looks at: memory that software writes. Owned by
 * the thread that runs the engine.
 */
public interface Polled {

  /** Looks at the likely places; how much was found. */
  int poll();

  /** Looks everywhere, as must be done before a rest; how much was found. */
  int pollThoroughly();

  /** True when there is no place to look at. A hint: any thread may ask. */
  boolean isEmpty();
}
