package dev.bluebell.program.compile;

import dev.bluebell.program.plan.Instruction;

/** On what condition instructions do what they do. */
interface Guard {
  /** Emits an instruction that is executed when the condition holds, and else is a NOP. */
  void emit(Instruction instruction);
}
