package dev.bluebell.cli.share;

import dev.bluebell.server.OwnFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Ends a device process that can't go on or can't end in order, with a message and exit code 1: its
 * programs notice the end of a process, and not that one lives and does nothing.
 */
final class LastResort implements Thread.UncaughtExceptionHandler {
  private static final int FAILED = 1;
  private static final String NO_MEMORY = "the device process ends, as its heap is full";

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
          "the device process ends, as its thread %s failed: %s"
              .formatted(thread.getName(), thrown);
    } catch (Throwable noSentence) {
      // Mostly there is no memory for it; a process that stays without its thread is worse.
      why = NO_MEMORY;
    }
    end(why);
  }

  /** Ends this process at once. What it leaves in memory, the kernel frees. */
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
      // It ends anyway.
    } finally {
      Runtime.getRuntime().halt(FAILED);
    }
  }
}
