package dev.bluebell.program.compile;

import dev.bluebell.program.Condition;
import dev.bluebell.program.plan.Area;
import dev.bluebell.program.plan.Instruction;
import dev.bluebell.program.plan.Span;

/**
 * Order: the right number is taken from the left one in a word, and a masked compare-and-swap that
 * looks at the sign alone turns the flags, which are the bytes above the numbers.
 */
final class LessFlags implements Flags {
  private static final long SIGN = 1L << 63;

  private final Condition.Less condition;
  private final FlagBytes flags;

  /**
   * Asks.
   *
   * @param otherwise true when something is done if the condition does not hold
   */
  LessFlags(Emitter emitter, Condition.Less condition, boolean otherwise) {
    this.condition = condition;
    Area word = emitter.word("if");
    int count = condition.left().bytes();
    emitter.place(condition.left(), 0, word.span(0, count), Order.PLAIN);
    Instruction subtract = emitter.fetchAdd(word.whole(), "subtract " + condition.right());
    emitter.placeNegative(condition.right(), subtract);
    emitter.append(subtract);
    flags = new FlagBytes(word, count);
    if (otherwise) {
      ask(emitter, word, false);
    }
    ask(emitter, word, true);
  }

  // The word of a negative difference has ones in all bytes above the numbers, so that the flags of
  // both answers are written then. The first question, if there are two, leaves the sign clear.
  private void ask(Emitter emitter, Area word, boolean negative) {
    Instruction ask =
        emitter.maskedCompareSwap(
            word.whole(), "is %s%s?".formatted(negative ? "" : "not ", condition));
    emitter.append(ask);
    emitter.atEnd(
        () -> {
          ask.orOperand(Emitter.SWAP, negative ? flags.whenTrue() : flags.whenFalse());
          ask.orOperand(Emitter.COMPARE, negative ? SIGN : 0);
          ask.orOperand(Emitter.SWAP_MASK, flags.mask());
          ask.orOperand(Emitter.COMPARE_MASK, SIGN);
        });
  }

  @Override
  public Span flag(int whenTrue, int whenFalse) {
    return flags
        .find(whenTrue, whenFalse)
        .orElseThrow(
            () ->
                new CompileException(
                    "%s leaves %d bytes of a word for the opcodes of what is done then; compare"
                            .formatted(condition, Long.BYTES - condition.left().bytes())
                        + " shorter numbers or do fewer kinds of things"));
  }

  @Override
  public String toString() {
    return condition.toString();
  }
}
