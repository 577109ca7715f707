package dev.bluebell.program.install;

/**
 * Waits for something that another thread does: spins for a while, and then gives the processor
 * away each time, as the other thread may have none. One thread at a time.
 */
public final class Idling {
  private static final int SPINS = 200;

  private int spins;

  /** There was nothing to do. */
  public void idle() {
    if (spins < SPINS) {
      spins++;
      Thread.onSpinWait();
    } else {
      Thread.yield();
    }
  }

  /** There was something to do. */
  public void busy() {
    spins = 0;
  }
}
