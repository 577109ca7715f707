package dev.bluebell.softnic.engine;

/**
 * Working memory of the device that all turns share, and that no turn needs after its end. A turn
 * that is suspended to wait for a page keeps it, and other turns get another one. Owned by the
 * thread that runs the engine.
 */
public interface Scratch {

  /** Leaves the memory to the current turn; later turns get another one. */
  Object leave();

  /**
   * Takes back memory that was left.
   *
   * @param left what {@link #leave} returned
   */
  void takeBack(Object left);
}
