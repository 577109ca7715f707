package dev.bluebell.cli.share;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Runs an application as a child process. When {@code bluebell run} itself is interrupted, ends the
 * application, and delays the end of the JVM until the files are written.
 */
final class ApplicationProcess {
  /** The error number and its text in JDK messages, in any JDK version. */
  private static final Pattern OS_ERROR =
      Pattern.compile("error[=:] ?(\\d+)(?:, | \\()([^)]*[^) ])");

  private static final String ENOENT = "2";

  private static final int NOT_EXECUTABLE = 126;
  private static final int NO_COMMAND = 127;

  /** How long an application has to end by itself, because Ctrl-C has interrupted it, too. */
  private static final int OWN_END_SECONDS = 1;

  /** How long an interrupted run waits for the application to end. */
  private static final int APPLICATION_SECONDS = 5;

  /** How long the JVM may delay its end, so that the application can end and files be written. */
  private static final int FILES_SECONDS = 30;

  /** Stands for the exit code of an application that goes on after SIGTERM. */
  private static final int TERMINATED = 143;

  private final Supplier<PrintWriter> err;

  /** Reaches zero when all files are written and folders removed. */
  private final CountDownLatch ended = new CountDownLatch(1);

  private volatile @Nullable Process process;
  private volatile long interruptedAt;
  private volatile boolean interrupted;
  private boolean goesOn;

  /**
   * @param err standard error
   */
  ApplicationProcess(Supplier<PrintWriter> err) {
    this.err = err;
  }

  /** True for the number of the process that was started, not of one that it started itself. */
  boolean is(int pid) {
    Process started = process;
    return started != null && started.pid() == pid;
  }

  /** True after a signal to {@code bluebell run}, if not all files were written before. */
  boolean isInterrupted() {
    return interrupted;
  }

  /** True for an application that has no exit code, because it goes on after SIGTERM. */
  boolean goesOn() {
    return goesOn;
  }

  /** Lets the JVM end if it was interrupted: all files are written and folders removed. */
  void filesAreWritten() {
    ended.countDown();
  }

  /**
   * Starts the application and waits for its end.
   *
   * @return its exit code, or that of a shell if it can't be started or goes on after SIGTERM
   */
  int run(ProcessBuilder builder) throws InterruptedException {
    // Before the application starts, which would go on if a signal came before this.
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(this::stop));
    Process started;
    try {
      started = builder.start();
    } catch (IOException e) {
      Matcher error = OS_ERROR.matcher(String.valueOf(e.getMessage()));
      boolean found = error.find();
      err.get()
          .println(
              "bluebell: the command %s can't be started: %s"
                  .formatted(
                      builder.command().getFirst(), found ? error.group(2) : e.getMessage()));
      // Shells distinguish the two in the same way.
      return found && error.group(1).equals(ENOENT) ? NO_COMMAND : NOT_EXECUTABLE;
    }
    process = started;
    if (interrupted) {
      started.destroy();
    }
    while (!started.waitFor(1, TimeUnit.SECONDS)) {
      if (interrupted
          && System.nanoTime() - interruptedAt > TimeUnit.SECONDS.toNanos(APPLICATION_SECONDS)) {
        err.get()
            .println(
                "bluebell: the application (process %d) goes on although it was asked to end (SIGTERM)"
                    .formatted(started.pid()));
        err.get().flush();
        goesOn = true;
        return TERMINATED;
      }
    }
    return started.exitValue();
  }

  /** Ends the application when the JVM ends before it, and lets the files be written. */
  private void stop() {
    interruptedAt = System.nanoTime();
    interrupted = ended.getCount() > 0;
    try {
      if (process != null && !process.waitFor(OWN_END_SECONDS, TimeUnit.SECONDS)) {
        process.destroy();
      }
      // The JVM ends when this thread ends.
      boolean unused = ended.await(FILES_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
