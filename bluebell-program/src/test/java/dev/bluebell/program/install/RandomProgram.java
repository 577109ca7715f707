package dev.bluebell.program.install;

import dev.bluebell.program.Buffer;
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
import dev.bluebell.program.Subprogram;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** A program that does anything that the language has, on values that often are the same. */
final class RandomProgram {
  private static final int RECORD = 32;
  private static final int RECORDS = 4;
  private static final int NEXT = 8;
  private static final int INDEX = 16;
  private static final int STATEMENTS = 5;
  private static final int DEPTH = 2;
  private static final int RESPONSES = 6;

  private final Random random;
  private final ProgramBuilder builder = new ProgramBuilder("random");
  private final Data table;
  private final List<Cell<Kind.Number>> cells;
  private final Cell<Kind.Pointer> cursor;
  private final Input<Kind.Number> number = builder.number("number", 3);
  private final Input<Kind.Number> addend = builder.number("addend", 8);
  private final Input<Kind.Number> wide = builder.number("wide", 8);
  private final Input<Kind.Pointer> start = builder.pointer("start");
  private final Program program;
  private final Set<Part> parts;
  private final List<Subprogram> subprograms = new ArrayList<>();
  private int responses;
  private int loops;
  private int unbounded;

  /** True where the client can't be answered. */
  private boolean endless;

  /** What not every program has. */
  enum Part {
    /** Loops that may be left. */
    BREAKS,
    /** A loop without a bound, which ends all the same. */
    LOOP,
    /** One or two of them in branches. */
    LOOPS,
    /** What such loops count begins anew in each call, so that they end then, too. */
    AGAIN,
    /** Answers that are written to the client's memory. */
    WRITES,
    /** Calls of a subprogram. */
    CALLS
  }

  /** Draws a program. */
  RandomProgram(Random random, Part... parts) {
    this.random = random;
    this.parts = Set.of(parts);
    table = builder.data("table", RECORD * RECORDS);
    for (int record = 0; record < RECORDS; record++) {
      int at = record * RECORD;
      table.put(at, small(8));
      table.put(at + NEXT, table.pointer(someRecord()));
      table.put(at + INDEX, Literal.number(someRecord()).content());
    }
    cells = List.of(builder.cell("a", 1), builder.cell("b", 2), builder.cell("c", 0));
    cursor = builder.data("cursor", 8).put(0, table.pointer(RECORD)).address(0);
    if (has(Part.CALLS)) {
      endless = true;
      subprograms.add(builder.subprogram("twice", () -> statements(1)));
      endless = false;
    }
    statements(0);
    if (has(Part.LOOP)) {
      endlessly();
      statements(0);
    }
    if (has(Part.LOOPS)) {
      builder.when(condition(), this::endlessly, random.nextBoolean() ? this::endlessly : () -> {});
      statements(0);
    }
    program = builder.build();
  }

  private boolean has(Part part) {
    return parts.contains(part);
  }

  Program program() {
    return program;
  }

  /** Arguments of a call. */
  Map<Input<?>, byte[]> inputs(long tableAddress) {
    Map<Input<?>, byte[]> inputs = new HashMap<>();
    inputs.put(number, small(3));
    inputs.put(addend, small(8));
    inputs.put(wide, small(8));
    byte[] pointer = new byte[8];
    long address = tableAddress + someRecord();
    for (int i = 0; i < 8; i++) {
      pointer[i] = (byte) (address >>> 56 - 8 * i);
    }
    inputs.put(start, pointer);
    return inputs;
  }

  /** Offset of a record in the table. */
  private int someRecord() {
    return random.nextInt(RECORDS) * RECORD;
  }

  private byte[] small(int bytes) {
    return Literal.number(random.nextInt(4), bytes).content();
  }

  private void statements(int depth) {
    for (int i = 1 + random.nextInt(STATEMENTS); i > 0; i--) {
      statement(depth);
    }
  }

  /** A loop that is left after a few laps, if not before. */
  private void endlessly() {
    Cell<Kind.Number> lap = builder.cell("lap" + unbounded++, 0);
    int laps = 1 + random.nextInt(5);
    if (has(Part.AGAIN)) {
      builder.set(lap, Literal.number(0));
    }
    endless = true;
    loops++;
    builder.loop(
        () -> {
          builder.add(lap, Literal.number(1));
          boolean late = random.nextBoolean();
          if (late) {
            statements(1);
          }
          builder.breakWhen(Condition.equal(lap.first(4), Literal.number(laps, 4)));
          if (!late || random.nextBoolean()) {
            statements(1);
          }
        });
    loops--;
    endless = false;
  }

  private void statement(int depth) {
    if (!subprograms.isEmpty() && !endless && random.nextInt(3) == 0) {
      builder.call(subprograms.getFirst());
      return;
    }
    if (has(Part.BREAKS) && random.nextInt(3) == 0 && loop(depth)) {
      return;
    }
    switch (random.nextInt(10)) {
      case 0 -> builder.set(cell(), word());
      case 1 -> builder.add(cell(), word());
      case 2 -> builder.update(cell(), random.nextInt(), random.nextInt() & 0xff);
      case 3 -> load(depth);
      case 4 -> {
        if (!endless && responses++ < RESPONSES) {
          respond(word());
        }
      }
      case 5 -> builder.store(table, pointer(), small());
      case 6 -> builder.set(cell(), atomic().number(0, 8));
      default -> {
        if (depth < DEPTH) {
          when(depth);
        } else {
          builder.add(cell(), Literal.number(1));
        }
      }
    }
  }

  private void respond(Operand<?> what) {
    switch (has(Part.WRITES) ? responses % 3 : 0) {
      case 0 -> builder.respond(what);
      case 1 -> builder.respondInto(buffer(), what);
      default -> builder.writeInto(buffer(), what);
    }
  }

  private void respond(Field<Kind.Pointer> pointer) {
    switch (has(Part.WRITES) ? responses % 3 : 0) {
      case 0 -> builder.respond(table, pointer, 8);
      case 1 -> builder.respondInto(buffer(), table, pointer, 8);
      default -> builder.writeInto(buffer(), table, pointer, 8);
    }
  }

  /** One of its own: what the client is told of must not be written again before it looks. */
  private Buffer buffer() {
    return builder.buffer("answer" + responses, 8);
  }

  private Loaded atomic() {
    Location word =
        switch (random.nextInt(3)) {
          case 0 -> Location.of(cell());
          case 1 -> new Location.At(table, pointer());
          default -> new Location.Indexed(table, index());
        };
    return switch (random.nextInt(3)) {
      case 0 -> builder.compareAndSwap(word, small(), word());
      case 1 -> builder.exchange(word, small());
      default -> builder.fetchAndAdd(word, word(), random.nextBoolean() ? 0 : 2);
    };
  }

  private void when(int depth) {
    Condition condition = condition();
    if (random.nextBoolean()) {
      builder.when(condition, () -> statements(depth + 1));
    } else {
      builder.when(condition, () -> statements(depth + 1), () -> statements(depth + 1));
    }
  }

  /** Leaves a loop, or goes round one if that is still short. */
  private boolean loop(int depth) {
    if (loops > 0 && random.nextBoolean()) {
      builder.breakWhen(condition());
      return true;
    }
    if (depth == DEPTH || loops == 2) {
      return false;
    }
    loops++;
    builder.repeat(1 + random.nextInt(3), lap -> statements(depth + 1));
    loops--;
    return true;
  }

  private Condition condition() {
    return switch (random.nextInt(6)) {
      case 0 -> Condition.equal(cell(), word());
      case 4 -> Condition.less(cell().first(5), cell().first(5));
      case 1 -> Condition.equal(cell().first(3), number);
      case 2 -> Condition.less(cell().first(3), number);
      case 3 -> Condition.less(cell().first(7), Literal.number(random.nextInt(4), 7));
      default ->
          Condition.masked(
              cell().first(2), new byte[] {1, 0}, Literal.number(random.nextInt(2), 2));
    };
  }

  private void load(int depth) {
    Loaded loaded =
        random.nextBoolean() ? builder.load(table, pointer()) : builder.loadIndexed(table, index());
    switch (random.nextInt(4)) {
      case 0 -> builder.set(cell(), loaded.number(0, 8));
      case 1 -> builder.add(cell(), loaded.number(0, 8));
      case 2 -> {
        builder.set(cursor, loaded.pointer(NEXT));
        builder.set(cell(), loaded.number(0, 8));
      }
      default -> {
        if (depth < DEPTH) {
          builder.when(Condition.equal(loaded.number(0, 3), number), () -> statements(depth + 1));
        }
        if (!endless && responses++ < RESPONSES) {
          respond(loaded.pointer(NEXT));
        }
      }
    }
  }

  private Operand<Kind.Number> index() {
    return random.nextBoolean() ? table.number(someRecord() + INDEX) : Literal.number(someRecord());
  }

  private Operand<Kind.Pointer> pointer() {
    return switch (random.nextInt(3)) {
      case 0 -> start;
      case 1 -> cursor;
      default -> table.pointer(someRecord());
    };
  }

  private Cell<Kind.Number> cell() {
    return cells.get(random.nextInt(cells.size()));
  }

  private Operand<Kind.Number> word() {
    return switch (random.nextInt(4)) {
      case 0 -> cell();
      case 1 -> addend;
      case 2 -> wide;
      default -> Literal.number(random.nextInt(4));
    };
  }

  // Stores keep to the first 8 bytes of a record: the others point to records.
  private Operand<Kind.Number> small() {
    return random.nextBoolean() ? number : cell();
  }
}
