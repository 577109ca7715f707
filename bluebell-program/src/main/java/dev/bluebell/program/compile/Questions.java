package dev.bluebell.program.compile;

import dev.bluebell.program.Condition;
import dev.bluebell.program.Literal;
import dev.bluebell.program.Operand;
import dev.bluebell.program.compile.FlagBytes.Flag;
import dev.bluebell.program.plan.Area;
import dev.bluebell.program.plan.Instruction;
import dev.bluebell.program.plan.Span;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates conditions in words of memory. The left operand is in the low bytes of a word; one
 * atomic compares it with the right operand and sets the {@link FlagBytes} above it.
 */
final class Questions {
  /** Maximum number of operand bytes in a word that has room for a flag. */
  private static final int ROOM = Long.BYTES - 1;

  private static final long SIGN = 1L << 63;

  private final Emitter emitter;
  private final Values values;

  Questions(Emitter emitter, Values values) {
    this.emitter = emitter;
    this.values = values;
  }

  /**
   * Evaluates a condition.
   *
   * @param otherwise true when instructions depend on the condition not holding
   */
  Flags ask(Condition condition, boolean otherwise) {
    FlagBytes free =
        switch (condition) {
          case Condition.Equal equal -> equal(equal);
          case Condition.Less less -> less(less, otherwise);
          case Condition.Masked masked -> masked(masked);
        };
    return new Flags(this, condition.toString(), free);
  }

  // ---- equality

  /**
   * Compares an operand of any length. One that is longer than a word is split; each further word
   * begins with a flag of the one before.
   */
  private FlagBytes equal(Condition.Equal condition) {
    Operand<?> left = condition.left();
    Operand<?> right = condition.right();
    int taken = Math.min(left.bytes(), ROOM);
    Area first = emitter.condition();
    values.place(left, 0, first.span(0, taken), Order.PLAIN);
    FlagBytes free = compare(first, null, right, 0, taken, condition.toString());
    while (taken < left.bytes()) {
      int more = Math.min(left.bytes() - taken, ROOM - 1);
      Area next = emitter.condition();
      Flag link = free.any();
      values.placeBehind(link.span(), left, taken, next.span(0, 1 + more));
      free = compare(next, link, right, taken, more, condition.toString());
      taken += more;
    }
    return free;
  }

  /** Makes room for more flags in a further word, which begins with an existing flag. */
  FlagBytes handOn(Flag link, String condition) {
    Area next = emitter.condition();
    return emitter.keeping(
        () -> {
          Literal<?> nothing = new Literal<>(new byte[0]);
          values.placeBehind(link.span(), nothing, 0, next.span(0, 1));
          return compare(next, link, nothing, 0, 0, condition);
        });
  }

  /**
   * Compares a word.
   *
   * @param link the flag that is copied to its first byte; null for the first word
   * @param from offset of the first compared byte of the right operand
   * @param count number of compared bytes
   */
  private FlagBytes compare(
      Area word, @Nullable Flag link, Operand<?> right, int from, int count, String condition) {
    int at = link == null ? 0 : 1;
    long linked = link == null ? 0 : link.whenTrue();
    Instruction ask = emitter.compareSwap(word.whole(), "is " + condition + "?");
    Span compare = ask.operandField(Emitter.COMPARE).part(Long.BYTES - at - count, count);
    values.place(right, from, compare, Order.REVERSED);
    emitter.append(ask);
    FlagBytes free = new FlagBytes(word, at + count);
    emitter.atEnd(
        () -> {
          ask.orOperand(Emitter.SWAP, free.whenTrue());
          ask.orOperand(Emitter.COMPARE, free.whenFalse() | linked);
          word.or(free.whenFalse());
        });
    return free;
  }

  /** Compares the masked bits and sets the flags, by one masked compare-and-swap. */
  private FlagBytes masked(Condition.Masked condition) {
    Area word = emitter.condition();
    int count = condition.left().bytes();
    values.place(condition.left(), 0, word.span(0, count), Order.PLAIN);
    Instruction ask = emitter.maskedCompareSwap(word.whole(), "is " + condition + "?");
    emitter.append(ask);
    FlagBytes free = new FlagBytes(word, count);
    emitter.atEnd(
        () -> {
          ask.orOperand(Emitter.SWAP, free.whenTrue());
          ask.orOperand(Emitter.COMPARE, Values.number(condition.right()));
          ask.orOperand(Emitter.SWAP_MASK, free.mask());
          ask.orOperand(Emitter.COMPARE_MASK, Values.number(Literal.bytes(condition.mask())));
          word.or(free.whenFalse());
        });
    return free;
  }

  // ---- order

  private FlagBytes less(Condition.Less condition, boolean otherwise) {
    Area word = emitter.condition();
    int count = condition.left().bytes();
    if (values.hasNegative(condition.right(), condition.left())) {
      int from = Values.borrow(condition.right());
      word.or(from);
      values.place(condition.left(), 0, word.span(from, count), Order.PLAIN);
      FlagBytes free = new FlagBytes(word, from + count);
      subtract(condition, word, free, otherwise);
      return free;
    }
    values.place(condition.left(), 0, word.span(0, count), Order.PLAIN);
    FlagBytes free = new FlagBytes(word, count);
    addToComplement(condition, word, free);
    return free;
  }

  /** Subtracts the right number; the sign is the answer. */
  private void subtract(Condition.Less condition, Area word, FlagBytes free, boolean otherwise) {
    Instruction subtract = emitter.fetchAdd(word.whole(), "subtract " + condition.right());
    values.placeNegative(condition.right(), subtract);
    emitter.append(subtract);
    if (otherwise) {
      sign(word, free, false, false, "is not " + condition + "?");
    }
    sign(word, free, true, true, "is " + condition + "?");
  }

  /**
   * Inverts all bits of the left number, which gives −left − 1, and adds the right one: the sum is
   * negative when the right number is not greater.
   */
  private void addToComplement(Condition.Less condition, Area word, FlagBytes free) {
    Instruction turn = emitter.maskedFetchAdd(word.whole(), "turn all bits of " + condition.left());
    turn.orOperand(Emitter.ADD, -1);
    turn.orOperand(Emitter.FIELDS, -1);
    emitter.append(turn);
    Operand<?> right = condition.right();
    Instruction add = emitter.fetchAdd(word.whole(), "add " + right);
    Span addend = add.operandField(Emitter.ADD);
    values.place(right, 0, addend.part(Long.BYTES - right.bytes(), right.bytes()), Order.REVERSED);
    emitter.append(add);
    sign(word, free, false, true, "is " + condition + "?");
    sign(word, free, true, false, "is not " + condition + "?");
  }

  // In a negative word all bytes above the numbers are ones, so the flags are written for either
  // answer. If there are two questions, the first leaves the sign clear.
  private void sign(Area word, FlagBytes free, boolean negative, boolean holds, String comment) {
    Instruction ask = emitter.maskedCompareSwap(word.whole(), comment);
    emitter.append(ask);
    emitter.atEnd(
        () -> {
          ask.orOperand(Emitter.SWAP, holds ? free.whenTrue() : free.whenFalse());
          ask.orOperand(Emitter.COMPARE, negative ? SIGN : 0);
          ask.orOperand(Emitter.SWAP_MASK, free.mask());
          ask.orOperand(Emitter.COMPARE_MASK, SIGN);
        });
  }
}
