package dev.bluebell.cli.perf;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a measurement end early and print its results so far when Ctrl-C or SIGTERM ends the
 * process. The JVM ends when this is closed, with the exit code of the signal.
 */
final class Interruption implements AutoCloseable {
  /** How long the process waits for the results to be printed. */
  private static final int PATIENCE_SECONDS = 10;

  private final CountDownLatch printed = new CountDownLatch(1);
  private final Thread hook = Thread.ofPlatform().unstarted(this::interrupt);
  private volatile boolean requested;

  /** Starts watching. */
  static Interruption watch() {
    Interruption interruption = new Interruption();
    Runtime.getRuntime().addShutdownHook(interruption.hook);
    return interruption;
  }

  private void interrupt() {
    requested = true;
    try {
      boolean unused = printed.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  boolean isRequested() {
    return requested;
  }

  @Override
  public void close() {
    printed.countDown();
    try {
      boolean unused = Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The hook is running, and may end now.
    }
  }
}
