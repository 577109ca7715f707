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
 * Takes or releases a lock: a word that contains the number of the client that holds it, or 0 when
 * it is free. The answer is the word after the call, so a client that finds its own number holds
 * the lock. One compare-and-swap checks and changes the word, so any number of clients may call
 * concurrently, each with a program of its own on the same {@link #table}.
 */
public final class Lock {
  /** Length of a client's number. */
  public static final int OWNER_BYTES = 6;

  /** Operations of a client. */
  public enum Action {
    /** Takes the lock if it is free. */
    TAKE,
    /** Releases the lock if the client holds it. */
    RELEASE
  }

  private final Action action;
  private final Input<Kind.Number> owner;
  private final Cell<Kind.Number> word;
  private final Program program;

  /**
   * Creates a lock and its program.
   *
   * @param holder number of the initial holder, 0 when the lock is free
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

  /** The data that the programs of all clients share. */
  public Data table() {
    return word.data();
  }

  public Program program() {
    return program;
  }

  /** The inputs of a client with a number, which is not 0. */
  public Map<Input<?>, byte[]> call(long client) {
    return Map.of(owner, Literal.number(client, OWNER_BYTES).content());
  }

  /** Work of a processor for a call: one compare-and-swap. */
  public List<byte[]> answer(Map<Input<?>, byte[]> inputs, Tables tables) {
    long client = Tables.number(inputs.get(owner), 0);
    long expected = action == Action.TAKE ? 0 : client;
    long desired = action == Action.TAKE ? client : 0;
    long before = tables.compareAndSwap(tables.address(word.data()), expected, desired);
    return List.of(Literal.number(before == expected ? desired : before, OWNER_BYTES).content());
  }
}
