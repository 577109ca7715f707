package dev.bluebell.program.install;

/**
 * Waits for another thread: spins for a while, and then yields the processor each time, because the
 * other thread may need it. Not thread-safe.
 */
public final class Idling {
  private static final int SPINS = 200;

  private int spins;

  /** Call it when there was nothing to do. */
  public void idle() {
    if (spins < SPINS) {
      spins++;
      Thread.onSpinWait();
    } else {
      Thread.yield();
    }
  }

  /** Call it when there was something to do. */
  public void busy() {
    spins = 0;
  }
}
