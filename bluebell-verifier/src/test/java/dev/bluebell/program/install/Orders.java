package dev.bluebell.program.install;

import dev.bluebell.verifier.Mutations.Mutation;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The orders in which mutants are tried: first those in which earlier mutants failed, since the
 * next one often fails in them as well.
 */
final class Orders {
  private static final int TELLING = 40;

  private final Deque<Integer> telling = new ArrayDeque<>();

  /**
   * True when a mutant fails in some order.
   *
   * @param count number of orders that are tried in addition to those in which others failed
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
