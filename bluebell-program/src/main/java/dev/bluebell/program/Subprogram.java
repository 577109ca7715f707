package dev.bluebell.program;

import java.util.List;
import java.util.stream.Stream;

/** Statements that a program can call. Arguments and results are passed in cells. */
public record Subprogram(String name, List<Statement> body) {
  /** Copies the list. */
  public Subprogram {
    body = List.copyOf(body);
  }

  /** Subprograms that statements call, in the order of the first calls. */
  public static List<Subprogram> of(List<Statement> statements) {
    return statements.stream().flatMap(Subprogram::calledIn).distinct().toList();
  }

  private static Stream<Subprogram> calledIn(Statement statement) {
    if (statement instanceof Statement.Call call) {
      return Stream.of(call.to());
    }
    return statement.inside().stream().flatMap(List::stream).flatMap(Subprogram::calledIn);
  }

  @Override
  public String toString() {
    return name;
  }
}
