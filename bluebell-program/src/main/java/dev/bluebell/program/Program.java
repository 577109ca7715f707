package dev.bluebell.program;

import java.util.List;

/**
 * A NIC program. Immutable. Created by {@link ProgramBuilder}.
 *
 * @param inputs arguments that a client sends with a call
 * @param buffers the client's memory that it writes to
 * @param data its memory
 */
public record Program(
    String name,
    List<Input<?>> inputs,
    List<Buffer> buffers,
    List<Data> data,
    List<Statement> statements) {
  /** Copies the lists. */
  public Program {
    inputs = List.copyOf(inputs);
    buffers = List.copyOf(buffers);
    data = List.copyOf(data);
    statements = List.copyOf(statements);
  }

  /** True when it has an unbounded loop, so that the duration of a call is unknown. */
  public boolean isUnbounded() {
    return hasLoop(statements);
  }

  private static boolean hasLoop(List<Statement> statements) {
    return statements.stream()
        .anyMatch(
            each ->
                each instanceof Statement.Unbounded
                    || each.inside().stream().anyMatch(Program::hasLoop));
  }
}
