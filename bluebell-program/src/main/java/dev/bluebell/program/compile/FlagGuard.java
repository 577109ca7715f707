package dev.bluebell.program.compile;

import dev.bluebell.program.plan.Address;
import dev.bluebell.program.plan.Gate;
import dev.bluebell.program.plan.Instruction;
import dev.bluebell.program.plan.Span;
import java.util.List;

/**
 * Arms instructions by copying a one-byte flag over the opcode. The condition has set the flag to
 * the opcode or left it a NOP. In a nested branch, the outer guard guards this copy.
 */
final class FlagGuard implements Guard {
  private final Emitter emitter;
  private final Guard outer;
  private final Flags flags;
  private final boolean wanted;

  /**
   * @param wanted true when the condition must hold, false when it must not
   */
  FlagGuard(Emitter emitter, Guard outer, Flags flags, boolean wanted) {
    this.emitter = emitter;
    this.outer = outer;
    this.flags = flags;
    this.wanted = wanted;
  }

  @Override
  public void emit(Instruction instruction) {
    instruction.arm();
    if (instruction.opmod() != 0) {
      turn(instruction.opmodField(), instruction.opmod(), instruction);
    }
    turn(instruction.opcodeField(), instruction.opcode(), instruction);
    emitter.append(instruction);
  }

  /**
   * Leaves a loop when nothing in it follows: copies two flags over the opcodes of its gates, by
   * one READ if the flags are adjacent.
   */
  void leave(Gate next, Gate exit) {
    Span closes = flag(next);
    Span opens = flag(exit);
    String comment = "leave the loop if %s%s".formatted(wanted ? "" : "not ", flags);
    if (closes.block().equals(opens.block()) && closes.offset() == opens.offset() + 1) {
      Span both = new Span(opens.block(), opens.offset(), 2);
      Instruction read = Instruction.read(Address.of(both), comment);
      read.scatter(exit.opcodeField());
      read.scatter(next.opcodeField());
      outer.emit(read);
    } else {
      outer.emit(Instruction.write(Address.of(next.opcodeField()), List.of(closes), comment));
      outer.emit(Instruction.write(Address.of(exit.opcodeField()), List.of(opens), comment));
    }
  }

  private Span flag(Gate gate) {
    int left = gate.opcodeOfBreak();
    int stayed = gate.opcodeAtFirst();
    return wanted ? flags.flag(left, stayed) : flags.flag(stayed, left);
  }

  private void turn(Span field, int value, Instruction instruction) {
    Span flag = wanted ? flags.flag(value, 0) : flags.flag(0, value);
    String comment = "arm %s if %s%s".formatted(instruction.name(), wanted ? "" : "not ", flags);
    outer.emit(Instruction.write(Address.of(field), List.of(flag), comment));
  }
}
