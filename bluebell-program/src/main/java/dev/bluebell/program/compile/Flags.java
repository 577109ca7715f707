package dev.bluebell.program.compile;

import dev.bluebell.program.plan.Span;
import java.util.Optional;

/**
 * The answers to a condition: bytes with one value when it holds and another when it does not. When
 * a word has no room for another flag, a further word continues the answer.
 */
final class Flags {
  private final Questions questions;
  private final String condition;
  private FlagBytes free;

  /**
   * @param condition text of the condition
   * @param free free bytes of the word
   */
  Flags(Questions questions, String condition, FlagBytes free) {
    this.questions = questions;
    this.condition = condition;
    this.free = free;
  }

  /** A byte of memory with these values; the same one for the same values. */
  Span flag(int whenTrue, int whenFalse) {
    Optional<Span> found = free.find(whenTrue, whenFalse);
    if (found.isEmpty()) {
      free = questions.handOn(free.any(), condition);
      found = free.find(whenTrue, whenFalse);
    }
    return found.orElseThrow();
  }

  @Override
  public String toString() {
    return condition;
  }
}
