package dev.bluebell.program.install;

import dev.bluebell.verifier.Mutations.Mutation;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The orders that the variants of a program are tried in: those that have told of one go first, as
 * they often tell of the next.
 */
final class Orders {
  private static final int TELLING = 40;

  private final Deque<Integer> telling = new ArrayDeque<>();

  /**
   * True when a variant fails in some order.
   *
   * @param count how many are tried beside those that have told of others
   */
  boolean fail(Subject subject, Mutation mutation, int count) {
    for (int seed : List.copyOf(telling)) {
      if (subject.fails(mutation, seed)) {
        moveToFront(seed);
        return true;
      }
    }
    for (int seed = 1; seed <= count; seed++) {
      if (!telling.contains(seed) && subject.fails(mutation, seed)) {
        moveToFront(seed);
        return true;
      }
    }
    return false;
  }

  private void moveToFront(int seed) {
    telling.remove(seed);
    telling.addFirst(seed);
    if (telling.size() > TELLING) {
      telling.removeLast();
    }
  }
}
