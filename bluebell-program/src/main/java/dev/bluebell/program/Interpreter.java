package dev.bluebell.program;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The reference semantics of programs: executes one in plain Java, on memory of its own that
 * persists between calls.
 */
public final class Interpreter {
  private static final long BASE = 0x10000;
  private static final int BUDGET = 1_000_000;

  private final Program program;
  private final int budget;
  private final Map<Data, Long> addresses = new LinkedHashMap<>();
  private final Map<Data, byte[]> memory = new HashMap<>();
  private final Map<Buffer, byte[]> written = new HashMap<>();
  private final Map<Loaded, byte[]> loaded = new HashMap<>();
  private Map<Input<?>, byte[]> arguments = Map.of();
  private List<byte[]> responses = new ArrayList<>();
  private int steps;

  /** Chooses addresses for the program's data. */
  public Interpreter(Program program) {
    this(program, packed(program));
  }

  /**
   * Places the program's data at given addresses, so that pointers have the same bytes as
   * elsewhere.
   *
   * @param addresses addresses of all data of the program
   */
  public Interpreter(Program program, Map<Data, Long> addresses) {
    this(program, addresses, BUDGET);
  }

  /**
   * As the other constructor, with a limit on the statements of a call; a call that exceeds it
   * counts as endless.
   */
  public Interpreter(Program program, Map<Data, Long> addresses, int budget) {
    this.program = program;
    this.budget = budget;
    this.addresses.putAll(addresses);
    for (Data data : program.data()) {
      byte[] content = data.content();
      data.pointers().forEach((offset, to) -> put(content, offset, bytes(to)));
      memory.put(data, content);
    }
  }

  private static Map<Data, Long> packed(Program program) {
    Map<Data, Long> addresses = new LinkedHashMap<>();
    long next = BASE;
    for (Data data : program.data()) {
      addresses.put(data, next);
      next += (data.bytes() + 7) & ~7;
    }
    return addresses;
  }

  /**
   * Executes the program once.
   *
   * @param inputs the bytes of every input
   * @return the answers that the client is notified of, in order: messages, and writes with a
   *     completion
   * @throws IllegalArgumentException when an input has another length
   * @throws IndexOutOfBoundsException when a pointer or an index points outside of its data, or the
   *     word of an atomic is not at a multiple of 8
   * @throws IllegalStateException when the call exceeds its limit of statements
   */
  public List<byte[]> call(Map<Input<?>, byte[]> inputs) {
    arguments = Map.copyOf(inputs);
    responses = new ArrayList<>();
    loaded.clear();
    steps = 0;
    execute(program.statements());
    return responses;
  }

  /** Content of a client's buffer, initially zeros. */
  public byte[] read(Buffer buffer) {
    return written.computeIfAbsent(buffer, _ -> new byte[buffer.bytes()]).clone();
  }

  /** Current content of a cell. */
  public byte[] read(Cell<?> cell) {
    return slice(memory(cell.data()), cell.offset(), cell.bytes());
  }

  /** The address of data. */
  public long address(Data data) {
    return known(addresses.get(data), data);
  }

  /** Executes statements; returns true when a break left them. */
  private boolean execute(List<Statement> statements) {
    for (Statement statement : statements) {
      step();
      switch (statement) {
        case Statement.Set set -> write(set.to(), bytes(set.from()));
        case Statement.Load load ->
            loaded.put(load.into(), memory(load.from(), load.into().bytes()));
        case Statement.Store store -> {
          byte[] from = bytes(store.from());
          put(memory(store.to().in()), offset(store.to(), from.length), from);
        }
        case Statement.Add add ->
            write(add.to(), Literal.number(number(add.to()) + number(add.addend())).content());
        case Statement.Update update -> {
          long kept = number(update.to()) & ~update.mask();
          long value = kept | update.value() & update.mask();
          write(update.to(), Literal.number(value).content());
        }
        case Statement.Atomic atomic -> atomic(atomic);
        case Statement.When when -> {
          if (execute(holds(when.condition()) ? when.then() : when.otherwise())) {
            return true;
          }
        }
        case Statement.Loop loop -> loop(loop);
        case Statement.Unbounded loop -> {
          while (!execute(loop.body())) {}
        }
        case Statement.Call call -> {
          boolean unused = execute(call.to().body());
        }
        case Statement.Break _ -> {
          return true;
        }
        case Statement.Respond respond -> answer(respond.how(), bytes(respond.what()));
        case Statement.RespondFrom respond -> {
          ByteArrayOutputStream message = new ByteArrayOutputStream();
          message.writeBytes(memory(respond.from(), respond.bytes()));
          respond.behind().forEach(operand -> message.writeBytes(bytes(operand)));
          answer(respond.how(), message.toByteArray());
        }
      }
    }
    return false;
  }

  private void answer(Delivery how, byte[] content) {
    if (how instanceof Delivery.Write write) {
      put(written.computeIfAbsent(write.to(), to -> new byte[to.bytes()]), 0, content);
      if (!write.told()) {
        return;
      }
    }
    responses.add(content);
  }

  private void atomic(Statement.Atomic atomic) {
    byte[] word = memory(atomic.word(), Long.BYTES);
    loaded.put(atomic.before(), word);
    long before = ByteBuffer.wrap(word).order(ByteOrder.LITTLE_ENDIAN).getLong();
    long after =
        switch (atomic.change()) {
          case Statement.Change.CompareSwap swap ->
              before == number(swap.expected()) ? number(swap.desired()) : before;
          case Statement.Change.Exchange exchange -> number(exchange.value());
          case Statement.Change.FetchAdd add -> sum(before, number(add.addend()), add.fieldEnds());
        };
    int offset = offset(atomic.word(), Long.BYTES);
    if (offset % Long.BYTES != 0) {
      throw new IndexOutOfBoundsException(
          "offset %d of %s is not a multiple of 8, which an atomic needs"
              .formatted(offset, atomic.word().in()));
    }
    put(memory(atomic.word().in()), offset, Literal.number(after).content());
  }

  // The highest bits of fields are added without carry, so no carry leaves a field.
  private static long sum(long word, long addend, long fieldEnds) {
    return (word & ~fieldEnds) + (addend & ~fieldEnds) ^ (word ^ addend) & fieldEnds;
  }

  private void step() {
    if (steps++ == budget) {
      throw new IllegalStateException(
          "%s executes more than %,d statements in a call; make sure that its loop ends"
              .formatted(program.name(), budget));
    }
  }

  private void loop(Statement.Loop loop) {
    for (List<Statement> lap : loop.laps()) {
      if (execute(lap)) {
        return;
      }
    }
  }

  private boolean holds(Condition condition) {
    byte[] left = bytes(condition.left());
    return switch (condition) {
      case Condition.Equal equal -> Arrays.equals(left, bytes(equal.right()));
      case Condition.Less less ->
          Long.compareUnsigned(number(less.left()), number(less.right())) < 0;
      case Condition.Masked masked -> {
        byte[] right = masked.right().content();
        byte[] mask = masked.mask();
        boolean same = true;
        for (int i = 0; i < mask.length; i++) {
          same &= ((left[i] ^ right[i]) & mask[i]) == 0;
        }
        yield same;
      }
    };
  }

  private byte[] bytes(Operand<?> operand) {
    return switch (operand) {
      case Literal<?> literal -> literal.content();
      case DataPointer pointer ->
          ByteBuffer.allocate(Long.BYTES)
              .putLong(address(pointer.data()) + pointer.offset())
              .array();
      case Input<?> input -> argument(input);
      case Field<?> field ->
          slice(known(loaded.get(field.loaded()), field), field.offset(), field.bytes());
      case Cell<?> cell -> read(cell);
    };
  }

  private byte[] argument(Input<?> input) {
    byte[] argument = known(arguments.get(input), input);
    if (argument.length != input.bytes()) {
      throw new IllegalArgumentException(
          "input %s of %s has %d bytes: give it %d"
              .formatted(input, program.name(), argument.length, input.bytes()));
    }
    return argument;
  }

  private long number(Operand<?> operand) {
    byte[] word = Arrays.copyOf(bytes(operand), Long.BYTES);
    return ByteBuffer.wrap(word).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  private byte[] memory(Location from, int bytes) {
    return slice(memory(from.in()), offset(from, bytes), bytes);
  }

  private int offset(Location location, int bytes) {
    long offset =
        switch (location) {
          case Location.At at -> ByteBuffer.wrap(bytes(at.pointer())).getLong() - address(at.in());
          case Location.Indexed indexed -> number(indexed.offset());
        };
    if (offset < 0 || offset > location.in().bytes() - bytes) {
      throw new IndexOutOfBoundsException(
          "%d bytes at offset %d do not lie in %s".formatted(bytes, offset, location.in()));
    }
    return (int) offset;
  }

  private byte[] memory(Data data) {
    return known(memory.get(data), data);
  }

  private void write(Cell<?> cell, byte[] bytes) {
    put(memory(cell.data()), cell.offset(), bytes);
  }

  private static <T> T known(@Nullable T found, Object what) {
    if (found == null) {
      throw new IllegalStateException("%s is not known here".formatted(what));
    }
    return found;
  }

  private static void put(byte[] target, int offset, byte[] bytes) {
    System.arraycopy(bytes, 0, target, offset, bytes.length);
  }

  private static byte[] slice(byte[] bytes, int offset, int count) {
    return Arrays.copyOfRange(bytes, offset, offset + count);
  }
}
