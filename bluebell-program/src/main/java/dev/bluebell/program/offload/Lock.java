package dev.bluebell.program.offload;

import dev.bluebell.program.Cell;
import dev.bluebell.program.Condition;
import dev.bluebell.program.Data;
import dev.bluebell.program.Field;
import dev.bluebell.program.Input;
import dev.bluebell.program.Kind;
import dev.bluebell.program.Literal;
import dev.bluebell.program.Loaded;
import dev.bluebell.program.Location;
import dev.bluebell.program.Operand;
import dev.bluebell.program.Program;
import dev.bluebell.program.ProgramBuilder;
import java.util.List;
import java.util.Map;

/**
 * Takes a lock, or gives it back: a word has the number of the client that holds it, 0 when nobody
 * does. The answer is the word as the call left it, so a client that finds its own number holds the
 * lock. One compare-and-swap asks and changes it, so any number of clients may call at a time, each
 * with a program of its own on the same {@link #table}.
 */
public final class Lock {
  /** Length of a client's number. */
  public static final int OWNER_BYTES = 6;

  /** What a client wants. */
  public enum Action {
    /** To hold it, if it is free. */
    TAKE,
    /** To give it back, if the client holds it. */
    RELEASE
  }

  private final Action action;
  private final Input<Kind.Number> owner;
  private final Cell<Kind.Number> word;
  private final Program program;

  /**
   * A lock and its program.
   *
   * @param holder who holds it at the start, 0 when nobody does
   */
  public Lock(Action action, long holder) {
    this.action = action;
    ProgramBuilder builder = new ProgramBuilder(action == Action.TAKE ? "lock" : "release");
    owner = builder.number("owner", OWNER_BYTES);
    word = builder.cell("lock", holder);
    Literal<Kind.Number> free = Literal.number(0, OWNER_BYTES);
    Operand<Kind.Number> expected = action == Action.TAKE ? free : owner;
    Operand<Kind.Number> desired = action == Action.TAKE ? owner : free;
    Loaded before = builder.compareAndSwap(Location.of(word), expected, desired);
    Field<Kind.Number> held = before.number(0, OWNER_BYTES);
    builder.when(
        Condition.equal(held, expected),
        () -> builder.respond(desired),
        () -> builder.respond(held));
    program = builder.build();
  }

  /** The data that programs of several clients share. */
  public Data table() {
    return word.data();
  }

  /** The program. */
  public Program program() {
    return program;
  }

  /** What a client sends, by its number, which is not 0. */
  public Map<Input<?>, byte[]> call(long client) {
    return Map.of(owner, Literal.number(client, OWNER_BYTES).content());
  }

  /** What a processor does for a call: one compare-and-swap. */
  public List<byte[]> answer(Map<Input<?>, byte[]> inputs, Tables tables) {
    long client = Tables.number(inputs.get(owner), 0);
    long expected = action == Action.TAKE ? 0 : client;
    long desired = action == Action.TAKE ? client : 0;
    long before = tables.compareAndSwap(tables.address(word.data()), expected, desired);
    return List.of(Literal.number(before == expected ? desired : before, OWNER_BYTES).content());
  }
}
