package dev.bluebell.program.compile;

import dev.bluebell.program.plan.Instruction;

/** A condition on which instructions are executed. */
interface Guard {
  /** Emits an instruction that is executed when the condition holds, and is a NOP otherwise. */
  void emit(Instruction instruction);
}
