package dev.bluebell.softnic.engine;

/**
 * Memory of the device that a turn uses up within itself, and that all turns share. A turn that
 * waits for a page in its midst keeps it, and the others use another one. Owned by the thread that
 * runs the engine.
 */
public interface Scratch {

  /** Leaves the memory to the turn at hand; whoever comes next has another one. */
  Object leave();

  /**
   * Goes on with memory that was left.
   *
   * @param left what {@link #leave} returned
   */
  void takeBack(Object left);
}
