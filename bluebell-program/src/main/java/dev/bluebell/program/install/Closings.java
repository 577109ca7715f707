package dev.bluebell.program.install;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The objects that an owner has created, closed in reverse order. A constructor that fails calls
 * {@link #closeAfter}, because its caller gets no object to close. Not thread-safe.
 */
final class Closings {
  private final Deque<Runnable> closings = new ArrayDeque<>();

  void add(Runnable closing) {
    closings.push(closing);
  }

  /** Closes all objects, even if one can't be closed; then throws the first failure. */
  void close() {
    if (!closings.isEmpty()) {
      try {
        closings.pop().run();
      } catch (RuntimeException | Error e) {
        closeAfter(e);
        throw e;
      }
      close();
    }
  }

  /** Closes after a failure, which the caller then throws. */
  void closeAfter(Throwable failure) {
    try {
      close();
    } catch (RuntimeException | Error e) {
      failure.addSuppressed(e);
    }
  }
}
