package dev.bluebell.verbs.object;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The steps that undo a creation, last first. They serve a creation that failed half way and the
 * end of the object. Not thread-safe.
 */
public final class Teardown {
  private final Deque<Runnable> steps = new ArrayDeque<>();

  public void add(Runnable step) {
    steps.push(step);
  }

  /** Takes the steps; when one throws, it and those below it remain for another try. */
  public void run() {
    while (!steps.isEmpty()) {
      steps.element().run();
      steps.remove();
    }
  }

  /** Takes the steps because of a failure, which it returns. */
  public RuntimeException runAfter(RuntimeException failure) {
    try {
      run();
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
    return failure;
  }
}
