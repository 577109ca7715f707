package dev.bluebell.verbs.object;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The steps that undo a creation, last first. Used when a creation fails half way, and when the
 * object is closed. Not thread-safe.
 */
public final class Teardown {
  private final Deque<Runnable> steps = new ArrayDeque<>();

  public void add(Runnable step) {
    steps.push(step);
  }

  /**
   * Adds a step that runs after the one that was added last: only when the device has destroyed the
   * object, which it may refuse.
   */
  public void addAfterLatest(Runnable step) {
    Runnable latest = steps.pop();
    steps.push(step);
    steps.push(latest);
  }

  /** Runs the steps; when one throws, it and the remaining ones stay for another attempt. */
  public void run() {
    while (!steps.isEmpty()) {
      steps.element().run();
      steps.remove();
    }
  }

  /**
   * Runs the steps after a failure. Returns an exception for the caller to throw; throws an error.
   */
  public RuntimeException runAfter(Throwable failure) {
    try {
      run();
    } catch (RuntimeException | Error e) {
      // The JVM may throw the same OutOfMemoryError again.
      if (!e.equals(failure)) {
        failure.addSuppressed(e);
      }
    }
    if (failure instanceof Error error) {
      throw error;
    }
    return (RuntimeException) failure;
  }
}
