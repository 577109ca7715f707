package dev.bluebell.cli.perf;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a measurement end early and print what it has when the process is told to end, by Ctrl-C or
 * SIGTERM: the JVM ends when it is closed, and with the exit code of the signal.
 */
final class Interruption implements AutoCloseable {
  /** How long the process waits for the last lines. */
  private static final int PATIENCE_SECONDS = 10;

  private final CountDownLatch printed = new CountDownLatch(1);
  private final Thread hook = Thread.ofPlatform().unstarted(this::interrupt);
  private volatile boolean requested;

  /** Watches from now on. */
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
      // It runs, and may end now.
    }
  }
}
