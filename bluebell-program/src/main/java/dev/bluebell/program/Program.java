package dev.bluebell.program;

import java.util.List;

/**
 * A program of the language. Immutable, made by {@link ProgramBuilder}.
 *
 * @param name what it is called
 * @param inputs what a client sends with a call
 * @param buffers memory of the client that it writes to
 * @param data its memory
 * @param statements what it does
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

  /** True when it has a loop without a bound, so that nobody knows how long a call takes. */
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
