package dev.bluebell.server;

/** Waits for threads. */
public final class Threads {
  private Threads() {}

  /** Waits for the end of a thread; an interrupt does not end this, and stays pending. */
  public static void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
