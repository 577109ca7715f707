package dev.bluebell.server;

import java.util.function.BooleanSupplier;

/** Starts threads, and waits for them. */
public final class Threads {
  private Threads() {}

  /** A wait that an interrupt ends. */
  public interface Wait {
    void run() throws InterruptedException;
  }

  /** Waits while a condition holds; an interrupt does not end this, and stays pending. */
  public static void await(BooleanSupplier condition, Wait wait) {
    boolean interrupted = false;
    while (condition.getAsBoolean()) {
      try {
        wait.run();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for the end of a thread, as {@link #await}. */
  public static void join(Thread thread) {
    await(thread::isAlive, thread::join);
  }

  /**
   * Starts a daemon thread for a client.
   *
   * @param hold is closed when the thread ends, or can't be started
   * @throws QuotaExceeded when the machine has no more threads
   */
  static Thread start(String name, Account.Hold hold, Runnable work) throws QuotaExceeded {
    try {
      return Thread.ofPlatform()
          .daemon()
          .name(name)
          .start(
              () -> {
                try (hold) {
                  work.run();
                }
              });
    } catch (OutOfMemoryError noThread) {
      hold.close();
      throw new QuotaExceeded("this machine gives the device process no more threads");
    }
  }
}
