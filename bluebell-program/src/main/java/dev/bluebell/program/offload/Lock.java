package dev.bluebell.program.offload;

import dev.bluebell.program.Cell;
import dev.bluebell.program.Condition;
import dev.bluebell.program.Input;
import dev.bluebell.program.Kind;
import dev.bluebell.program.Literal;
import dev.bluebell.program.Program;
import dev.bluebell.program.ProgramBuilder;
import java.util.List;
import java.util.Map;

/**
 * Takes a lock, or gives it back: a word has the number of the client that holds it, 0 when nobody
 * does. The answer is the word as it is afterwards, so a client that finds its own number holds the
 * lock. Nobody but the program may write the word.
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
    Cell<Kind.Number> held = word.first(OWNER_BYTES);
    Literal<Kind.Number> free = Literal.number(0, OWNER_BYTES);
    switch (action) {
      case TAKE -> builder.when(Condition.equal(held, free), () -> builder.set(held, owner));
      case RELEASE -> builder.when(Condition.equal(held, owner), () -> builder.set(held, free));
    }
    builder.respond(word);
    program = builder.build();
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
    return List.of(Literal.number(before == expected ? desired : before).content());
  }
}
