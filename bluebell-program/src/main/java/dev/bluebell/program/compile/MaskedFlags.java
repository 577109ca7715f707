package dev.bluebell.program.compile;

import dev.bluebell.program.Condition;
import dev.bluebell.program.Literal;
import dev.bluebell.program.plan.Area;
import dev.bluebell.program.plan.Instruction;
import dev.bluebell.program.plan.Span;

/** Equality of some bits: a masked compare-and-swap compares these and turns the flags. */
final class MaskedFlags implements Flags {
  private final Condition.Masked condition;
  private final FlagBytes flags;

  MaskedFlags(Emitter emitter, Condition.Masked condition) {
    this.condition = condition;
    Area word = emitter.word("if");
    int count = condition.left().bytes();
    emitter.place(condition.left(), 0, word.span(0, count), Order.PLAIN);
    Instruction ask = emitter.maskedCompareSwap(word.whole(), "is " + condition + "?");
    emitter.append(ask);
    flags = new FlagBytes(word, count);
    emitter.atEnd(
        () -> {
          ask.orOperand(Emitter.SWAP, flags.whenTrue());
          ask.orOperand(Emitter.COMPARE, Emitter.number(condition.right()));
          ask.orOperand(Emitter.SWAP_MASK, flags.mask());
          ask.orOperand(Emitter.COMPARE_MASK, Emitter.number(Literal.bytes(condition.mask())));
          word.or(flags.whenFalse());
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
                        + " fewer bytes or do fewer kinds of things"));
  }

  @Override
  public String toString() {
    return condition.toString();
  }
}
