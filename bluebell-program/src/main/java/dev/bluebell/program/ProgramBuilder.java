package dev.bluebell.program;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Writes a program, statement by statement. Fields of what is loaded inside a {@code when} mean
 * nothing outside of it. One thread at a time.
 */
public final class ProgramBuilder {
  private final String name;
  private final List<Input<?>> inputs = new ArrayList<>();
  private final List<Data> data = new ArrayList<>();
  private final List<Buffer> buffers = new ArrayList<>();
  private List<Statement> statements = new ArrayList<>();
  private int records;

  // How many loops there are around the next statement, and whether the innermost one breaks.
  private int loops;
  private boolean breaks;

  /** Starts a program. */
  public ProgramBuilder(String name) {
    this.name = name;
  }

  // ---- operands

  /** A number that the client sends, of 1 … 8 bytes. */
  public Input<Kind.Number> number(String input, int bytes) {
    return input(new Input<>(input, bytes));
  }

  /** An address that the client sends. */
  public Input<Kind.Pointer> pointer(String input) {
    return input(new Input<>(input, Long.BYTES));
  }

  /** Bytes that the client sends. */
  public Input<Kind.Bytes> bytes(String input, int count) {
    return input(new Input<>(input, count));
  }

  private <K extends Kind> Input<K> input(Input<K> input) {
    inputs.add(input);
    return input;
  }

  /** Memory of the client, of at least so many bytes, that answers are written to. */
  public Buffer buffer(String bufferName, int bytes) {
    Buffer buffer = new Buffer(bufferName, bytes, buffers.size());
    buffers.add(buffer);
    return buffer;
  }

  /** Memory, zeroed at the start unless something is put into it. */
  public Data data(String dataName, int bytes) {
    Data added = new Data(dataName, new byte[bytes]);
    data.add(added);
    return added;
  }

  /** A number of 8 bytes in memory. */
  public Cell<Kind.Number> cell(String cellName, long initial) {
    return data(cellName, Long.BYTES).put(0, Literal.number(initial).content()).number(0);
  }

  // ---- statements

  /** Copies an operand into a cell of the same kind and length. */
  public <K extends Kind> void set(Cell<K> to, Operand<K> from) {
    statements.add(new Statement.Set(to, from));
  }

  /** Reads what a pointer points to; the program names the fields that it needs. */
  public Loaded load(Data in, Operand<Kind.Pointer> pointer) {
    return load(new Location.At(in, pointer));
  }

  /** Reads what lies {@code offset} bytes behind the start of the data; a number of 8 bytes. */
  public Loaded loadIndexed(Data in, Operand<Kind.Number> offset) {
    return load(new Location.Indexed(in, offset));
  }

  private Loaded load(Location from) {
    Loaded record = new Loaded("loaded" + records++);
    statements.add(new Statement.Load(from, record));
    return record;
  }

  /** Writes an operand to where a pointer points. */
  public void store(Data in, Operand<Kind.Pointer> pointer, Operand<?> from) {
    statements.add(new Statement.Store(new Location.At(in, pointer), from));
  }

  /** Writes an operand {@code offset} bytes behind the start of the data; a number of 8 bytes. */
  public void storeIndexed(Data in, Operand<Kind.Number> offset, Operand<?> from) {
    statements.add(new Statement.Store(new Location.Indexed(in, offset), from));
  }

  /** Adds to a number, modulo 2^64. */
  public void add(Cell<Kind.Number> to, Operand<Kind.Number> addend) {
    statements.add(new Statement.Add(to, addend));
  }

  /** Sets the bits of a number where the mask has ones. */
  public void update(Cell<Kind.Number> to, long value, long mask) {
    statements.add(new Statement.Update(to, value, mask));
  }

  /**
   * Gives a word of 8 bytes another value if it is the expected one, at once, whoever else changes
   * it.
   *
   * @return what it was, of which the program names fields
   */
  public Loaded compareAndSwap(Location word, Operand<?> expected, Operand<?> desired) {
    return atomic(word, new Statement.Change.CompareSwap(expected, desired));
  }

  /**
   * Gives a word of 8 bytes another value, at once, whoever else changes it.
   *
   * @return what it was, of which the program names fields
   */
  public Loaded exchange(Location word, Operand<?> value) {
    return atomic(word, new Statement.Change.Exchange(value));
  }

  /**
   * Adds to the fields of a word of 8 bytes, at once, whoever else changes it.
   *
   * @param fieldEnds the highest bit of each field, which no carry leaves; 0 when the word is one
   * @return what it was, of which the program names fields
   */
  public Loaded fetchAndAdd(Location word, Operand<Kind.Number> addend, long fieldEnds) {
    return atomic(word, new Statement.Change.FetchAdd(addend, fieldEnds));
  }

  private Loaded atomic(Location word, Statement.Change change) {
    Loaded before = new Loaded("loaded" + records++);
    statements.add(new Statement.Atomic(word, change, before));
    return before;
  }

  /** Does something if a condition holds. */
  public void when(Condition condition, Runnable then) {
    when(condition, then, () -> {});
  }

  /** Does one thing if a condition holds, and another if it does not. */
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

  /** Writes a body several times; it is told the number of the round, from 0. */
  public void repeat(int times, IntConsumer body) {
    boolean outerBreaks = breaks;
    breaks = false;
    loops++;
    List<List<Statement>> laps = new ArrayList<>();
    for (int round = 0; round < times; round++) {
      int number = round;
      laps.add(collect(() -> body.accept(number)));
    }
    if (breaks) {
      statements.add(new Statement.Loop(laps));
    } else {
      laps.forEach(statements::addAll);
    }
    loops--;
    breaks = outerBreaks;
  }

  /**
   * Does a body again and again, until it {@linkplain #leave leaves}. A program has two such loops
   * at most, which stand in no other loop. Fields of what is loaded inside mean nothing outside of
   * it, nor in the next lap: cells do.
   *
   * @throws IllegalStateException when nothing leaves it
   */
  public void loop(Runnable body) {
    boolean outerBreaks = breaks;
    breaks = false;
    loops++;
    statements.add(new Statement.Unbounded(collect(body)));
    if (!breaks) {
      throw new IllegalStateException("a loop without a bound needs a break that leaves it");
    }
    loops--;
    breaks = outerBreaks;
  }

  /**
   * Writes a subprogram, for {@link #call}. Fields of what is loaded inside mean nothing outside of
   * it: cells do.
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

  /** Does a subprogram, on a queue of its own, and goes on when that is done. */
  public void call(Subprogram subprogram) {
    statements.add(new Statement.Call(subprogram));
  }

  /** Leaves the innermost loop if a condition holds; see {@link #leave}. */
  public void breakWhen(Condition condition) {
    when(condition, this::leave);
  }

  /**
   * Leaves the innermost loop: nothing behind this in the loop is done then. It stands in a {@code
   * when}, or nothing behind it is ever done.
   *
   * @throws IllegalStateException outside of loops
   */
  public void leave() {
    if (loops == 0) {
      throw new IllegalStateException("a program leaves a loop, and there is none around this");
    }
    breaks = true;
    statements.add(new Statement.Break());
  }

  /** Sends an operand to the client. */
  public void respond(Operand<?> what) {
    statements.add(new Statement.Respond(new Delivery.Message(), what));
  }

  /** Sends to the client what a pointer points to, and operands behind it in the same message. */
  public void respond(Data in, Operand<Kind.Pointer> pointer, int bytes, Operand<?>... behind) {
    respond(new Delivery.Message(), in, pointer, bytes, behind);
  }

  /** Writes an operand to the client's memory, and tells the client. */
  public void respondInto(Buffer to, Operand<?> what) {
    statements.add(new Statement.Respond(new Delivery.Write(to, true), what));
  }

  /** Writes what a pointer points to, and operands behind it, to the client's memory, and tells. */
  public void respondInto(
      Buffer to, Data in, Operand<Kind.Pointer> pointer, int bytes, Operand<?>... behind) {
    respond(new Delivery.Write(to, true), in, pointer, bytes, behind);
  }

  /**
   * Writes an operand to the client's memory and tells nobody: it is there when the client gets a
   * later answer.
   */
  public void writeInto(Buffer to, Operand<?> what) {
    statements.add(new Statement.Respond(new Delivery.Write(to, false), what));
  }

  /** The same with what a pointer points to, and operands behind it. */
  public void writeInto(
      Buffer to, Data in, Operand<Kind.Pointer> pointer, int bytes, Operand<?>... behind) {
    respond(new Delivery.Write(to, false), in, pointer, bytes, behind);
  }

  private void respond(
      Delivery how, Data in, Operand<Kind.Pointer> pointer, int bytes, Operand<?>... behind) {
    Location from = new Location.At(in, pointer);
    statements.add(new Statement.RespondFrom(how, from, bytes, List.of(behind)));
  }

  /** The program. */
  public Program build() {
    return new Program(name, inputs, buffers, data, statements);
  }
}
