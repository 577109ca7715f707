package dev.bluebell.cli.share;

import dev.bluebell.server.OwnFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Ends a device process that can't continue or can't shut down in order, with a message and exit
 * code 1. Its client processes notice when it ends, but not when it hangs.
 */
final class LastResort implements Thread.UncaughtExceptionHandler {
  private static final int FAILED = 1;
  private static final String NO_MEMORY = "the device process ends, because its heap is full";

  private final Path socket;
  private final SocketLock lock;
  private final PrintWriter err;

  LastResort(Path socket, SocketLock lock, PrintWriter err) {
    this.socket = socket;
    this.lock = lock;
    this.err = err;
  }

  @Override
  public void uncaughtException(Thread thread, Throwable thrown) {
    String why;
    try {
      why =
          "the device process ends, because its thread %s failed: %s"
              .formatted(thread.getName(), thrown);
    } catch (Throwable noSentence) {
      // Usually memory has run out; a process that continues without this thread would be worse.
      why = NO_MEMORY;
    }
    end(why);
  }

  /**
   * Ends this process unless something happens in time.
   *
   * @param event its success or failure
   */
  void await(CompletableFuture<?> event, long time, TimeUnit unit, String otherwise) {
    CompletableFuture<?> unused =
        event
            .copy()
            .orTimeout(time, unit)
            .whenComplete(
                (done, failure) -> {
                  if (failure instanceof TimeoutException) {
                    end(otherwise);
                  }
                });
  }

  /** Ends this process at once. The kernel frees its memory. */
  void end(String why) {
    try {
      err.print("bluebell: ");
      err.println(why);
      err.flush();
      if (OwnFile.isOwn(socket)) {
        Files.deleteIfExists(socket);
      }
      lock.remove();
    } catch (IOException | RuntimeException | Error e) {
      // The process ends anyway.
    } finally {
      Runtime.getRuntime().halt(FAILED);
    }
  }
}
