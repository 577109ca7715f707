package dev.bluebell.program.compile;

import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.program.Condition;
import dev.bluebell.program.plan.Instruction;
import dev.bluebell.program.plan.Span;

/**
 * Arms an instruction by one compare-and-swap on its own first word, whose opmod, index and QPN
 * bits hold the left operand. If it equals the right operand, the word is replaced by the
 * instruction's own.
 */
final class OperandGuard implements Guard {
  /** Bytes of the first word before the opcode, and between the opcode and the size. */
  private static final int HALF = 3;

  /** Maximum number of bytes of an operand. */
  static final int BYTES = 2 * HALF;

  /** Offset of the bytes behind the opcode. */
  private static final int SECOND = HALF + 1;

  private final Emitter emitter;
  private final Values values;
  private final Guard outer;
  private final Condition.Equal condition;

  OperandGuard(Emitter emitter, Values values, Guard outer, Condition.Equal condition) {
    this.emitter = emitter;
    this.values = values;
    this.outer = outer;
    this.condition = condition;
  }

  @Override
  public void emit(Instruction instruction) {
    instruction.bare();
    Instruction ask =
        emitter.compareSwap(
            instruction.firstWord(), "arm %s if %s".formatted(instruction.name(), condition));
    Span word = instruction.firstWord();
    int first = Math.min(condition.left().bytes(), HALF);
    int second = condition.left().bytes() - first;
    values.placeSplit(condition.left(), word.part(0, first), word.part(SECOND, second));
    Span compare = ask.operandField(Emitter.COMPARE);
    values.place(condition.right(), 0, compare.part(Long.BYTES - first, first), Order.REVERSED);
    values.place(
        condition.right(),
        first,
        compare.part(Long.BYTES - SECOND - second, second),
        Order.REVERSED);
    emitter.atEnd(
        () -> {
          int ds = instruction.ds();
          ask.orOperand(
              Emitter.COMPARE, inMemory(ControlSegment.first(0, 0, WqeOpcode.NOP, 0, ds)));
          ask.orOperand(
              Emitter.SWAP,
              inMemory(ControlSegment.first(instruction.opmod(), 0, instruction.opcode(), 0, ds)));
        });
    outer.emit(ask);
    emitter.append(instruction);
  }

  /** The value of a big-endian word in memory as an atomic reads it. */
  private static long inMemory(long word) {
    return Long.reverseBytes(word);
  }
}
