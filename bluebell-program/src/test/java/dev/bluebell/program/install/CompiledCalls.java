package dev.bluebell.program.install;

import dev.bluebell.program.Program;
import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.offload.Example;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import java.util.List;

/**
 * Calls of one program, that of the first example, and the program as it is compiled: it may be
 * rehearsed again and again.
 *
 * @param examples of one offload, each of which is a call
 */
record CompiledCalls(Plan plan, List<Example> examples) {
  static CompiledCalls of(List<Example> examples, Target target, Model model, Calls calls) {
    return new CompiledCalls(
        Compiler.compile(examples.getFirst().program(), target, model, calls), examples);
  }

  Program program() {
    return examples.getFirst().program();
  }
}
