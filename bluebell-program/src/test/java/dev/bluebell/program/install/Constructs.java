package dev.bluebell.program.install;

import dev.bluebell.program.Buffer;
import dev.bluebell.program.Cell;
import dev.bluebell.program.Condition;
import dev.bluebell.program.Data;
import dev.bluebell.program.Field;
import dev.bluebell.program.Input;
import dev.bluebell.program.Interpreter;
import dev.bluebell.program.Kind;
import dev.bluebell.program.Literal;
import dev.bluebell.program.Loaded;
import dev.bluebell.program.Location;
import dev.bluebell.program.ProgramBuilder;
import dev.bluebell.program.Subprogram;
import dev.bluebell.program.offload.Example;
import dev.bluebell.program.offload.HashGet;
import dev.bluebell.program.offload.HashGet.Answer;
import dev.bluebell.program.offload.HashGet.Probing;
import dev.bluebell.program.offload.Offload;
import dev.bluebell.program.offload.Offloads;
import dev.bluebell.program.offload.Routine;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiConsumer;

/** A small program for each construct of the language, on values that often are the same. */
final class Constructs {
  /** Nobody but the program answers. */
  private static final Routine NOBODY =
      (inputs, tables) -> {
        throw new UnsupportedOperationException("this is answered by the program alone");
      };

  private static final int RECORD = 16;
  private static final int RECORDS = 3;
  private static final int VALUE_BYTES = 64;
  private static final int BUCKETS = 16;
  private static final int PROBES = 3;

  private final ProgramBuilder builder;
  private final Random random;
  private final Map<Input<?>, byte[]> inputs = new HashMap<>();
  private final Map<Input<?>, Integer> pointers = new HashMap<>();
  private final Data table;
  private final Cell<Kind.Number> x;
  private final Cell<Kind.Number> result;

  private Constructs(String name, Random random) {
    this.random = random;
    builder = new ProgramBuilder(name);
    table = builder.data("table", RECORD * RECORDS);
    for (int i = 0; i < RECORDS; i++) {
      table.put(RECORD * i, small(8)).put(RECORD * i + 8, table.pointer(someRecord()));
    }
    x = builder.cell("x", random.nextInt(3));
    result = builder.cell("result", 7);
  }

  /** All of them. */
  static List<Offload> all() {
    return List.of(
        of("if equal, 3 bytes", (c, p) -> c.guarded(c.equal(3))),
        of("if equal, 6 bytes", (c, p) -> c.guarded(c.equal(6))),
        of("if equal, 7 bytes", (c, p) -> c.guarded(c.equal(7))),
        of("if equal, 8 bytes", (c, p) -> c.guarded(c.equal(8))),
        of("if less than a constant", (c, p) -> c.guarded(c.lessThanAConstant())),
        of("if less than an input", (c, p) -> c.guarded(c.lessThanAnInput())),
        of("if some bits", (c, p) -> c.guarded(c.masked())),
        of("if or else", (c, p) -> c.either(c.equal(6))),
        of("if less or else", (c, p) -> c.either(c.lessThanAConstant())),
        of("if in if", Constructs::nested),
        of("repeat", Constructs::repeat),
        of("break", Constructs::leave),
        of("pointers", Constructs::follow),
        of("store and load", Constructs::store),
        of("changes of a cell", Constructs::change),
        of("atomics", Constructs::atomics),
        of("answers by WRITE", Constructs::write),
        of("calls", Constructs::call),
        of("calls on a condition", Constructs::callOnACondition),
        of("loop", Constructs::loop),
        of("loop that is left in its middle", Constructs::leaveLoop),
        of("loop behind a loop", Constructs::twoLoops),
        of("loop in a branch", Constructs::loopInABranch));
  }

  /**
   * The services, with whatever in their tables: a key may be in several buckets of a hash table,
   * and be 0 as words that nothing was read into are, so that a probe too many is noticed.
   */
  static List<Offload> services() {
    return Offloads.all().stream()
        .map(
            offload ->
                switch (offload.name()) {
                  case "hash-get-24" -> crowded(offload, 3, Probing.SEQUENTIAL, Answer.SENT);
                  case "hash-get-48" -> crowded(offload, 6, Probing.SEQUENTIAL, Answer.SENT);
                  case "hash-get-56" -> crowded(offload, 7, Probing.SEQUENTIAL, Answer.SENT);
                  case "hash-get-parallel" -> crowded(offload, 6, Probing.PARALLEL, Answer.SENT);
                  case "hash-get-write" -> crowded(offload, 6, Probing.SEQUENTIAL, Answer.WRITTEN);
                  default -> offload;
                })
        .toList();
  }

  private static Offload crowded(Offload offload, int keyBytes, Probing probing, Answer how) {
    return new Offload(
        offload.name(),
        offload.sentence(),
        random -> {
          HashGet get = new HashGet(keyBytes, VALUE_BYTES, BUCKETS, PROBES, probing, how);
          byte[] wanted = Literal.number(random.nextInt(3), keyBytes).content();
          Data buckets = get.program().data().getFirst();
          Data values = get.program().data().getLast();
          for (int i = 0; i < BUCKETS; i++) {
            byte[] value = new byte[VALUE_BYTES];
            random.nextBytes(value);
            values.put(VALUE_BYTES * i, value);
            buckets
                .put(RECORD * i, Literal.number(random.nextInt(3), keyBytes).content())
                .put(RECORD * i + Long.BYTES, values.pointer(VALUE_BYTES * i));
          }
          return new Example(
              get.program(),
              at -> get.call(wanted, at),
              NOBODY,
              at -> new Interpreter(get.program(), at).call(get.call(wanted, at)));
        });
  }

  private static Offload of(String name, BiConsumer<Constructs, ProgramBuilder> body) {
    return new Offload(
        name,
        name,
        random -> {
          Constructs construct = new Constructs(name, random);
          body.accept(construct, construct.builder);
          return construct.example();
        });
  }

  private Example example() {
    var program = builder.build();
    return new Example(
        program, this::inputs, NOBODY, at -> new Interpreter(program, at).call(inputs(at)));
  }

  private Map<Input<?>, byte[]> inputs(Map<Data, Long> addresses) {
    Map<Input<?>, byte[]> all = new HashMap<>(inputs);
    long base = addresses.getOrDefault(table, 0L);
    pointers.forEach(
        (input, offset) ->
            all.put(input, ByteBuffer.allocate(Long.BYTES).putLong(base + offset).array()));
    return all;
  }

  // ---- values

  private byte[] small(int bytes) {
    return Literal.number(random.nextInt(3), bytes).content();
  }

  private int someRecord() {
    return RECORD * random.nextInt(RECORDS);
  }

  private Input<Kind.Number> number(String name, int bytes) {
    Input<Kind.Number> input = builder.number(name, bytes);
    inputs.put(input, small(bytes));
    return input;
  }

  private Input<Kind.Pointer> pointer(String name) {
    Input<Kind.Pointer> input = builder.pointer(name);
    pointers.put(input, someRecord());
    return input;
  }

  // ---- conditions

  private Condition equal(int bytes) {
    return equal("y", bytes);
  }

  private Condition equal(String input, int bytes) {
    return Condition.equal(x.first(bytes), number(input, bytes));
  }

  private Condition lessThanAConstant() {
    return Condition.less(x.first(7), Literal.number(2, 7));
  }

  private Condition lessThanAnInput() {
    return Condition.less(x.first(3), number("y", 3));
  }

  private Condition masked() {
    return Condition.masked(x.first(2), new byte[] {1, 0}, Literal.number(1, 2));
  }

  // ---- bodies

  private void guarded(Condition condition) {
    builder.when(condition, () -> builder.set(result, x));
    builder.respond(result);
  }

  private void either(Condition condition) {
    builder.when(condition, () -> builder.set(result, x), () -> builder.add(result, x));
    builder.respond(result);
  }

  private static void nested(Constructs c, ProgramBuilder p) {
    p.when(
        c.equal(6),
        () -> p.when(c.masked(), () -> p.set(c.result, c.x), () -> p.respond(c.x)),
        () -> p.respond(c.result));
    p.respond(c.result);
  }

  private static void repeat(Constructs c, ProgramBuilder p) {
    List<Input<Kind.Number>> wanted = new ArrayList<>();
    p.repeat(
        3,
        round -> {
          wanted.add(c.number("y" + round, 7));
          p.when(Condition.equal(c.x.first(7), wanted.get(round)), () -> p.add(c.result, c.x));
          p.add(c.x, Literal.number(1));
        });
    p.respond(c.result);
  }

  private static void leave(Constructs c, ProgramBuilder p) {
    p.add(c.x, c.number("more", 8));
    p.repeat(
        3,
        round -> {
          p.breakWhen(c.equal("y" + round, 3));
          p.add(c.x, Literal.number(1));
          // True in each of the rounds, for some x, and for some in none.
          p.when(Condition.masked(c.x.first(2), new byte[] {3, 0}, Literal.number(3, 2)), p::leave);
          p.add(c.result, c.x);
        });
    p.respond(c.result);
  }

  private static void loop(Constructs c, ProgramBuilder p) {
    p.loop(
        () -> {
          p.add(c.x, Literal.number(1));
          p.add(c.result, c.x);
          p.breakWhen(c.less(5));
        });
    p.respond(c.result);
  }

  private static void leaveLoop(Constructs c, ProgramBuilder p) {
    p.loop(
        () -> {
          p.add(c.x, Literal.number(1));
          p.when(c.masked(), () -> p.breakWhen(c.less(3)), () -> p.add(c.result, c.x));
          p.add(c.result, Literal.number(1));
        });
    p.add(c.result, c.x);
    p.respond(c.result);
  }

  private static void twoLoops(Constructs c, ProgramBuilder p) {
    loop(c, p);
    // Else the first lap of the second loop would always find the same bit.
    p.add(c.x, c.number("more", 8));
    p.loop(
        () -> {
          p.when(c.masked(), () -> p.add(c.result, c.x));
          p.add(c.x, Literal.number(1));
          p.breakWhen(c.less(8));
        });
    p.respond(c.result);
  }

  // The order of a copy and a sum is seen, and a call that went round may be followed by another.
  private static void loopInABranch(Constructs c, ProgramBuilder p) {
    p.when(
        c.equal(3),
        () -> {
          p.set(c.result, c.x);
          loop(c, p);
          p.set(c.x, Literal.number(1));
        },
        () -> p.add(c.result, Literal.number(1)));
    p.respond(c.result);
  }

  private Condition less(int than) {
    return Condition.less(Literal.number(than, 7), x.first(7));
  }

  private static void follow(Constructs c, ProgramBuilder p) {
    Loaded first = p.load(c.table, c.pointer("start"));
    Field<Kind.Number> key = first.number(0, 8);
    Loaded second = p.load(c.table, first.pointer(8));
    Field<Kind.Pointer> next = second.pointer(8);
    p.set(c.x, key);
    p.respond(c.table, next, 8);
    p.respond(c.x);
  }

  private static void store(Constructs c, ProgramBuilder p) {
    p.store(c.table, c.pointer("to"), c.x);
    Loaded loaded = p.load(c.table, c.pointer("from"));
    p.set(c.result, loaded.number(0, 8));
    p.respond(c.result);
  }

  private static void change(Constructs c, ProgramBuilder p) {
    p.add(c.x, c.number("addend", 8));
    p.update(c.x, 0x30, 0xf0);
    p.respond(c.x);
    p.set(c.x, c.result);
    p.add(c.result, c.x);
    p.respond(c.result);
  }

  /** The told one comes behind the others, so that what it tells of is what it wrote. */
  private static void write(Constructs c, ProgramBuilder p) {
    Buffer quiet = p.buffer("quiet", 16);
    Buffer told = p.buffer("told", 8);
    Loaded record = p.load(c.table, c.pointer("record"));
    p.writeInto(quiet, c.table, record.pointer(8), 8, c.x);
    p.when(c.equal(6), () -> p.add(c.result, c.x), () -> p.writeInto(quiet, c.x));
    p.respondInto(told, c.result);
  }

  /** What the subprogram asks, arms, loads and adds, it does again each time. */
  private static Subprogram subprogram(Constructs c, ProgramBuilder p) {
    Cell<Kind.Pointer> at = p.data("at", 8).put(0, c.table.pointer(RECORD)).address(0);
    return p.subprogram(
        "step",
        () -> {
          Loaded record = p.load(c.table, at);
          p.set(at, record.pointer(8));
          p.when(
              Condition.equal(record.number(0, 3), c.number("key", 3)),
              () -> p.add(c.result, c.x),
              () -> p.add(c.x, Literal.number(1)));
        });
  }

  private static void call(Constructs c, ProgramBuilder p) {
    Subprogram step = subprogram(c, p);
    p.call(step);
    p.respond(c.x);
    p.call(step);
    p.add(c.x, Literal.number(1));
    p.call(step);
    p.respond(c.result);
  }

  private static void callOnACondition(Constructs c, ProgramBuilder p) {
    Subprogram step = subprogram(c, p);
    p.when(c.equal("first", 3), () -> p.call(step));
    p.repeat(
        2,
        round -> {
          p.call(step);
          p.breakWhen(c.equal("y" + round, 3));
        });
    p.respond(c.x);
    p.respond(c.result);
  }

  private static void atomics(Constructs c, ProgramBuilder p) {
    Loaded swapped =
        p.compareAndSwap(Location.of(c.x), c.number("expected", 3), c.number("desired", 8));
    Loaded at = p.load(c.table, c.pointer("record"));
    Location next = new Location.At(c.table, at.pointer(8));
    Loaded was = p.exchange(next, swapped.number(0, 8));
    Loaded count = p.fetchAndAdd(Location.of(c.result), was.number(0, 8), 8);
    p.respond(count.number(0, 8));
    p.respond(c.x);
  }
}
