package dev.bluebell.program;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.Stream;

/**
 * Builds a program, statement by statement. Fields that are loaded inside a {@code when}, a loop or
 * a subprogram are invalid outside of it, where the compiler refuses them; use cells instead. Not
 * thread-safe.
 */
public final class ProgramBuilder {
  private final String name;
  private final List<Input<?>> inputs = new ArrayList<>();
  private final List<Data> data = new ArrayList<>();
  private final List<Buffer> buffers = new ArrayList<>();
  private List<Statement> statements = new ArrayList<>();
  private int records;

  // Number of loops around the next statement, and whether the innermost one has a break.
  private int loops;
  private boolean breaks;

  public ProgramBuilder(String name) {
    this.name = name;
  }

  // ---- operands

  /** An input that is a number of 1 … 8 bytes. */
  public Input<Kind.Number> number(String input, int bytes) {
    if (bytes > Long.BYTES) {
      throw new IllegalArgumentException(
          "number %s of %d bytes; a number has 1 to 8".formatted(input, bytes));
    }
    return input(new Input<>(input, bytes));
  }

  /** An input that is an address. */
  public Input<Kind.Pointer> pointer(String input) {
    return input(new Input<>(input, Long.BYTES));
  }

  /** An input that is unconverted bytes, 1 or more. */
  public Input<Kind.Bytes> bytes(String input, int count) {
    return input(new Input<>(input, count));
  }

  private <K extends Kind> Input<K> input(Input<K> input) {
    if (input.bytes() < 1) {
      throw new IllegalArgumentException(
          "input %s of %d bytes; give 1 or more".formatted(input, input.bytes()));
    }
    requireNew("an input", input.name(), inputs.stream().map(Input::name));
    inputs.add(input);
    return input;
  }

  // Memory and arguments are found by name: those of an installed program, for example.
  private void requireNew(String kind, String added, Stream<String> others) {
    if (others.anyMatch(added::equals)) {
      throw new IllegalArgumentException(
          "%s already has %s with the name %s; choose another name".formatted(name, kind, added));
    }
  }

  private static void requireNotNegative(String kind, String added, int bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException(
          "%s %s of %d bytes; give 0 or more".formatted(kind, added, bytes));
    }
  }

  /** Memory of the client for answers, of at least {@code bytes} bytes. */
  public Buffer buffer(String bufferName, int bytes) {
    requireNotNegative("buffer", bufferName, bytes);
    requireNew("a buffer", bufferName, buffers.stream().map(Buffer::name));
    Buffer buffer = new Buffer(bufferName, bytes, buffers.size());
    buffers.add(buffer);
    return buffer;
  }

  /** Memory of the program, initially zero except for content that is put into it. */
  public Data data(String dataName, int bytes) {
    requireNotNegative("data", dataName, bytes);
    requireNew("data", dataName, data.stream().map(Data::name));
    Data added = new Data(dataName, new byte[bytes]);
    data.add(added);
    return added;
  }

  /** An 8-byte number in memory. */
  public Cell<Kind.Number> cell(String cellName, long initial) {
    return data(cellName, Long.BYTES).put(0, Literal.number(initial).content()).number(0);
  }

  // ---- statements

  /**
   * Copies an operand into a cell of the same kind and length.
   *
   * @throws IllegalArgumentException when the lengths differ, or more than 256 bytes are copied to
   *     a place that begins within their own
   */
  public <K extends Kind> void set(Cell<K> to, Operand<K> from) {
    statements.add(new Statement.Set(to, from));
  }

  /** Loads the bytes at a pointer; the program declares the fields that it needs. */
  public Loaded load(Data in, Operand<Kind.Pointer> pointer) {
    return load(new Location.At(in, pointer));
  }

  /** Loads the bytes at {@code offset} bytes from the start of the data; an 8-byte number. */
  public Loaded loadIndexed(Data in, Operand<Kind.Number> offset) {
    return load(new Location.Indexed(in, offset));
  }

  private Loaded load(Location from) {
    Loaded record = new Loaded("loaded" + records++, from.in(), from.in().bytes());
    statements.add(new Statement.Load(from, record));
    return record;
  }

  /** Stores an operand at a pointer, which must not point into the operand. */
  public void store(Data in, Operand<Kind.Pointer> pointer, Operand<?> from) {
    statements.add(new Statement.Store(new Location.At(in, pointer), from));
  }

  /** Stores an operand at {@code offset} bytes from the start of the data; an 8-byte number. */
  public void storeIndexed(Data in, Operand<Kind.Number> offset, Operand<?> from) {
    statements.add(new Statement.Store(new Location.Indexed(in, offset), from));
  }

  /** Adds an unsigned number of at most 8 bytes to an 8-byte number, modulo 2^64. */
  public void add(Cell<Kind.Number> to, Operand<Kind.Number> addend) {
    statements.add(new Statement.Add(to, addend));
  }

  /** Replaces the bits of a number where the mask has ones by those of {@code value}. */
  public void update(Cell<Kind.Number> to, long value, long mask) {
    statements.add(new Statement.Update(to, value, mask));
  }

  /**
   * Atomically replaces an 8-byte word if it equals the expected value.
   *
   * @return the original value; the program declares the fields that it needs
   */
  public Loaded compareAndSwap(Location word, Operand<?> expected, Operand<?> desired) {
    return atomic(word, new Statement.Change.CompareSwap(expected, desired));
  }

  /**
   * Atomically replaces an 8-byte word.
   *
   * @return the original value; the program declares the fields that it needs
   */
  public Loaded exchange(Location word, Operand<?> value) {
    return atomic(word, new Statement.Change.Exchange(value));
  }

  /**
   * Atomically adds to the fields of an 8-byte word.
   *
   * @param fieldEnds the highest bit of each field, which no carry leaves; 0 when the word is one
   *     field
   * @return the original value; the program declares the fields that it needs
   */
  public Loaded fetchAndAdd(Location word, Operand<Kind.Number> addend, long fieldEnds) {
    return atomic(word, new Statement.Change.FetchAdd(addend, fieldEnds));
  }

  private Loaded atomic(Location word, Statement.Change change) {
    Loaded before = new Loaded("loaded" + records++, word.in(), Long.BYTES);
    statements.add(new Statement.Atomic(word, change, before));
    return before;
  }

  /** Executes a branch if a condition holds. */
  public void when(Condition condition, Runnable then) {
    when(condition, then, () -> {});
  }

  /** Executes one branch if a condition holds, and another if it does not. */
  public void when(Condition condition, Runnable then, Runnable otherwise) {
    List<Statement> yes = collect(then);
    List<Statement> no = collect(otherwise);
    statements.add(new Statement.When(condition, yes, no));
  }

  private List<Statement> collect(Runnable body) {
    List<Statement> outer = statements;
    statements = new ArrayList<>();
    try {
      body.run();
      return statements;
    } finally {
      statements = outer;
    }
  }

  /** Repeats a body, unrolled; the body receives the number of the lap, from 0. */
  public void repeat(int times, IntConsumer body) {
    if (times < 0) {
      throw new IllegalArgumentException("%d repetitions; give 0 or more".formatted(times));
    }
    List<List<Statement>> laps = new ArrayList<>();
    boolean isLeft =
        inLoop(
            () -> {
              for (int round = 0; round < times; round++) {
                int number = round;
                laps.add(collect(() -> body.accept(number)));
              }
            });
    if (isLeft) {
      statements.add(new Statement.Loop(laps));
    } else {
      laps.forEach(statements::addAll);
    }
  }

  /** Runs what collects a loop's statements; returns whether one of them leaves the loop. */
  private boolean inLoop(Runnable body) {
    boolean outerBreaks = breaks;
    breaks = false;
    loops++;
    try {
      body.run();
      return breaks;
    } finally {
      loops--;
      breaks = outerBreaks;
    }
  }

  /**
   * Repeats a body until it {@linkplain #leave leaves} the loop. A program has at most two such
   * loops, outside of any other loop. Fields that are loaded inside are undefined outside and in
   * the next lap; use cells instead.
   *
   * @throws IllegalStateException when the body has no break
   */
  public void loop(Runnable body) {
    List<Statement> lap = new ArrayList<>();
    if (!inLoop(() -> lap.addAll(collect(body)))) {
      throw new IllegalStateException("a loop without a bound needs a break that leaves it");
    }
    statements.add(new Statement.Unbounded(lap));
  }

  /**
   * Builds a subprogram, for {@link #call}. Fields that are loaded inside are undefined outside;
   * use cells instead.
   */
  public Subprogram subprogram(String subprogramName, Runnable body) {
    int outerLoops = loops;
    loops = 0;
    try {
      return new Subprogram(subprogramName, collect(body));
    } finally {
      loops = outerLoops;
    }
  }

  /** Executes a subprogram on a queue of its own, and continues when it is done. */
  public void call(Subprogram subprogram) {
    statements.add(new Statement.Call(subprogram));
  }

  /** Leaves the innermost loop if a condition holds; see {@link #leave}. */
  public void breakWhen(Condition condition) {
    when(condition, this::leave);
  }

  /**
   * Leaves the innermost loop without executing the rest of its body. Unless it is inside a {@code
   * when}, that rest is never executed.
   *
   * @throws IllegalStateException outside of loops
   */
  public void leave() {
    if (loops == 0) {
      throw new IllegalStateException("a program can leave a loop only from inside it");
    }
    breaks = true;
    statements.add(new Statement.Break());
  }

  /** Sends an operand to the client. */
  public void respond(Operand<?> what) {
    statements.add(new Statement.Respond(new Delivery.Message(), what));
  }

  /** Sends the client the bytes at a pointer, followed by operands, in one message. */
  public void respond(Data in, Operand<Kind.Pointer> pointer, int bytes, Operand<?>... behind) {
    respond(new Delivery.Message(), in, pointer, bytes, behind);
  }

  /** Writes an operand to the client's memory, with a completion for the client. */
  public void respondInto(Buffer to, Operand<?> what) {
    statements.add(new Statement.Respond(new Delivery.Write(to, true), what));
  }

  /** As {@link #respondInto(Buffer, Operand)}, with the bytes at a pointer and then operands. */
  public void respondInto(
      Buffer to, Data in, Operand<Kind.Pointer> pointer, int bytes, Operand<?>... behind) {
    respond(new Delivery.Write(to, true), in, pointer, bytes, behind);
  }

  /**
   * Writes an operand to the client's memory without a completion. It is visible when the client
   * receives a later answer.
   */
  public void writeInto(Buffer to, Operand<?> what) {
    statements.add(new Statement.Respond(new Delivery.Write(to, false), what));
  }

  /** As {@link #writeInto(Buffer, Operand)}, with the bytes at a pointer and then operands. */
  public void writeInto(
      Buffer to, Data in, Operand<Kind.Pointer> pointer, int bytes, Operand<?>... behind) {
    respond(new Delivery.Write(to, false), in, pointer, bytes, behind);
  }

  private void respond(
      Delivery how, Data in, Operand<Kind.Pointer> pointer, int bytes, Operand<?>... behind) {
    Location from = new Location.At(in, pointer);
    statements.add(new Statement.RespondFrom(how, from, bytes, List.of(behind)));
  }

  public Program build() {
    return new Program(name, inputs, buffers, data, statements);
  }
}
