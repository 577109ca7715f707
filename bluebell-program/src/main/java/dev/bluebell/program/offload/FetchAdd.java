package dev.bluebell.program.offload;

import dev.bluebell.program.Cell;
import dev.bluebell.program.Input;
import dev.bluebell.program.Kind;
import dev.bluebell.program.Literal;
import dev.bluebell.program.Loaded;
import dev.bluebell.program.Location;
import dev.bluebell.program.Program;
import dev.bluebell.program.ProgramBuilder;
import java.util.List;
import java.util.Map;

/**
 * A counter modulo 2^64: a client sends an addend, and receives the count before the addition. Any
 * number of clients may call concurrently, each with a program of its own on the same data.
 */
public final class FetchAdd {
  private final Input<Kind.Number> addend;
  private final Cell<Kind.Number> count;
  private final Program program;

  /** Creates a counter and its program. */
  public FetchAdd(long initial) {
    ProgramBuilder builder = new ProgramBuilder("fetch-add");
    addend = builder.number("addend", Long.BYTES);
    count = builder.cell("count", initial);
    Loaded before = builder.fetchAndAdd(Location.of(count), addend, 0);
    builder.respond(before.number(0, Long.BYTES));
    program = builder.build();
  }

  public Program program() {
    return program;
  }

  /** The client's inputs to add a number. */
  public Map<Input<?>, byte[]> call(long number) {
    return Map.of(addend, Literal.number(number).content());
  }

  /** Work of a processor for a call: one fetch-and-add. */
  public List<byte[]> answer(Map<Input<?>, byte[]> inputs, Tables tables) {
    long before =
        tables.fetchAndAdd(tables.address(count.data()), Tables.number(inputs.get(addend), 0));
    return List.of(Literal.number(before).content());
  }
}
