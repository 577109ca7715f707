package dev.bluebell.program.compile;

import dev.bluebell.program.Operand;
import dev.bluebell.program.compile.FlagBytes.Flag;
import dev.bluebell.program.plan.Area;
import dev.bluebell.program.plan.Instruction;
import dev.bluebell.program.plan.Span;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Equality: the left operand lies in a word beside flags, and a compare-and-swap that expects the
 * right one turns the flags. What does not fit goes into further words, each of which begins with a
 * flag of the one before.
 */
final class EqualFlags implements Flags {
  /** Operand bytes of a word that leave room for a flag. */
  private static final int ROOM = Long.BYTES - 1;

  private final Emitter emitter;
  private final Operand<?> left;
  private final Operand<?> right;
  private FlagBytes flags;

  EqualFlags(Emitter emitter, Operand<?> left, Operand<?> right) {
    this.emitter = emitter;
    this.left = left;
    this.right = right;
    int taken = Math.min(left.bytes(), ROOM);
    flags = word(null, 0, taken);
    while (taken < left.bytes()) {
      int more = Math.min(left.bytes() - taken, ROOM - 1);
      flags = word(flags.any(), taken, more);
      taken += more;
    }
  }

  /** Asks about a part of the operands in a word of its own. */
  private FlagBytes word(@Nullable Flag link, int from, int count) {
    Area word = emitter.word("if");
    int at = link == null ? 0 : 1;
    if (link == null) {
      emitter.place(left, from, word.span(0, count), Order.PLAIN);
    } else {
      emitter.placeBehind(link.span(), left, from, word.span(0, at + count));
    }
    Instruction ask = emitter.compareSwap(word.whole(), "is " + this + "?");
    Span compare = ask.operandField(Emitter.COMPARE).part(Long.BYTES - at - count, count);
    emitter.place(right, from, compare, Order.REVERSED);
    emitter.append(ask);
    FlagBytes free = new FlagBytes(word, at + count);
    emitter.atEnd(
        () -> {
          ask.orOperand(Emitter.SWAP, free.whenTrue());
          ask.orOperand(Emitter.COMPARE, free.whenFalse() | (link == null ? 0 : link.whenTrue()));
          word.or(free.whenFalse());
        });
    return free;
  }

  @Override
  public Span flag(int whenTrue, int whenFalse) {
    Optional<Span> found = flags.find(whenTrue, whenFalse);
    if (found.isEmpty()) {
      flags = word(flags.any(), left.bytes(), 0);
      found = flags.find(whenTrue, whenFalse);
    }
    return found.orElseThrow();
  }

  @Override
  public String toString() {
    return left + " = " + right;
  }
}
