package dev.bluebell.program.offload;

import dev.bluebell.program.Cell;
import dev.bluebell.program.Condition;
import dev.bluebell.program.Data;
import dev.bluebell.program.Field;
import dev.bluebell.program.Input;
import dev.bluebell.program.Kind;
import dev.bluebell.program.Literal;
import dev.bluebell.program.Loaded;
import dev.bluebell.program.Program;
import dev.bluebell.program.ProgramBuilder;
import java.util.List;
import java.util.Map;

/**
 * A Turing machine: its rules and its tape are tables, and an unbounded loop executes a step per
 * lap, until a rule halts it. The client sends the initial state, and receives the tape. A head
 * that leaves the tape ends the call.
 *
 * <p>A symbol on the tape is the offset of its rule among those of a state, and a state is the
 * offset of its rules, so a step adds the two. The client sends one byte, the number of a state; a
 * number without a state in the table is also outside of its memory.
 */
public final class TuringMachine {
  /** The next state of a rule that halts. */
  public static final int HALT = -1;

  private static final int NUMBER = Long.BYTES;
  private static final int WRITE = 0;
  private static final int MOVE = NUMBER;
  private static final int NEXT = 2 * NUMBER;
  private static final int RULE_BYTES = 3 * NUMBER;

  /** Bytes of the rules of a state: the second byte of their offset is the number of the state. */
  private static final int STATE = 1 << Byte.SIZE;

  /** Maximum number of symbols. */
  public static final int MAX_SYMBOLS = STATE / RULE_BYTES;

  /** Maximum number of states. */
  public static final int MAX_STATES = 0xff;

  /** A state that has no rules. */
  private static final int HALTED = 0xffff;

  private static final int OFFSET_BYTES = Short.BYTES;

  /** Maximum number of steps of a processor before it gives up on a machine that doesn't halt. */
  private static final int MAX_STEPS = 100_000;

  private final Data rules;
  private final Data tape;
  private final Cell<Kind.Number> head;
  private final Cell<Kind.Number> state;
  private final Input<Kind.Bytes> start;
  private final Program program;

  /**
   * The action for a symbol in a state.
   *
   * @param write the symbol that replaces it
   * @param move number of places that the head moves to the right; negative for the left
   * @param next the next state, or {@link #HALT}
   */
  public record Rule(int write, int move, int next) {}

  /**
   * Creates a machine and its program.
   *
   * @param table the rules of each state, by symbol; as many for each state
   * @param content the symbols on the tape
   * @param at initial position of the head
   * @throws IllegalArgumentException when there are too many states or symbols
   */
  public TuringMachine(List<List<Rule>> table, int[] content, int at) {
    int symbols = table.getFirst().size();
    if (table.size() > MAX_STATES || symbols > MAX_SYMBOLS) {
      throw new IllegalArgumentException(
          "%d states and %d symbols; a machine has at most %d and %d"
              .formatted(table.size(), symbols, MAX_STATES, MAX_SYMBOLS));
    }
    ProgramBuilder builder = new ProgramBuilder("turing");
    rules = builder.data("rules", table.size() * STATE);
    for (int each = 0; each < table.size(); each++) {
      for (int symbol = 0; symbol < symbols; symbol++) {
        put(each * STATE + symbol * RULE_BYTES, table.get(each).get(symbol));
      }
    }
    tape = builder.data("tape", content.length * NUMBER);
    for (int i = 0; i < content.length; i++) {
      tape.put(i * NUMBER, number((long) content[i] * RULE_BYTES));
    }
    head = builder.cell("head", (long) at * NUMBER);
    state = builder.cell("state", 0);
    start = builder.bytes("start", 1);
    builder.set(state.data().bytes(1, 1), start);
    builder.loop(() -> step(builder));
    builder.respond(tape.bytes(0, tape.bytes()));
    program = builder.build();
  }

  private void step(ProgramBuilder builder) {
    builder.add(state, builder.loadIndexed(tape, head).number(0, NUMBER));
    Loaded rule = builder.loadIndexed(rules, state);
    Field<Kind.Number> write = rule.number(WRITE, NUMBER);
    Field<Kind.Number> move = rule.number(MOVE, NUMBER);
    builder.set(state, rule.number(NEXT, NUMBER));
    builder.storeIndexed(tape, head, write);
    builder.add(head, move);
    builder.breakWhen(
        Condition.equal(state.first(OFFSET_BYTES), Literal.number(HALTED, OFFSET_BYTES)));
  }

  private void put(int at, Rule rule) {
    rules.put(at + WRITE, number((long) rule.write() * RULE_BYTES));
    rules.put(at + MOVE, number((long) rule.move() * NUMBER));
    rules.put(at + NEXT, number(rule.next() == HALT ? HALTED : rule.next() * STATE));
  }

  private static byte[] number(long value) {
    return Literal.number(value).content();
  }

  public Program program() {
    return program;
  }

  /** The client's inputs to start in a state. */
  public Map<Input<?>, byte[]> call(int first) {
    return Map.of(start, new byte[] {(byte) first});
  }

  /** The answer for a tape with these symbols. */
  public static byte[] answer(int[] content) {
    byte[] answer = new byte[content.length * NUMBER];
    for (int i = 0; i < content.length; i++) {
      byte[] symbol = number((long) content[i] * RULE_BYTES);
      System.arraycopy(symbol, 0, answer, i * NUMBER, NUMBER);
    }
    return answer;
  }

  /**
   * Work of a processor for a call: in each step it reads a symbol and its rule, and writes a
   * symbol.
   *
   * @throws IllegalStateException when the machine doesn't halt soon
   */
  public List<byte[]> answer(Map<Input<?>, byte[]> inputs, Tables tables) {
    long now = Tables.number(inputs.get(start), 0) * STATE;
    long place = Tables.number(tables.read(tables.address(head.data()), NUMBER), 0);
    for (int steps = 0; now != HALTED; steps++) {
      if (steps == MAX_STEPS) {
        throw new IllegalStateException(
            "the machine has not halted after %,d steps".formatted(steps));
      }
      long cell = tables.address(tape) + place;
      long at = now + Tables.number(tables.read(cell, NUMBER), 0);
      byte[] rule = tables.read(tables.address(rules) + at, RULE_BYTES);
      long unused = tables.exchange(cell, Tables.number(rule, WRITE));
      place += Tables.number(rule, MOVE);
      now = Tables.number(rule, NEXT);
    }
    long unused = tables.exchange(tables.address(head.data()), place);
    unused = tables.exchange(tables.address(state.data()), now);
    return List.of(tables.read(tables.address(tape), tape.bytes()));
  }
}
