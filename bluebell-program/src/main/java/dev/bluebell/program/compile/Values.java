package dev.bluebell.program.compile;

import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.program.Cell;
import dev.bluebell.program.DataPointer;
import dev.bluebell.program.Field;
import dev.bluebell.program.Input;
import dev.bluebell.program.Literal;
import dev.bluebell.program.Loaded;
import dev.bluebell.program.Operand;
import dev.bluebell.program.plan.Address;
import dev.bluebell.program.plan.Area;
import dev.bluebell.program.plan.ClientMemory;
import dev.bluebell.program.plan.Gate;
import dev.bluebell.program.plan.Instruction;
import dev.bluebell.program.plan.MessagePart;
import dev.bluebell.program.plan.MessagePart.Encoding;
import dev.bluebell.program.plan.ReceiveRecord;
import dev.bluebell.program.plan.Slot;
import dev.bluebell.program.plan.Span;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Allocates the locations of values. A value is put directly where it is used: the client's message
 * contains an input once per use, and a load scatters a field to its use. A value that cannot go
 * directly to its uses has a home in memory, from which it is copied.
 */
final class Values {
  /** Maximum number of data segments of a receive entry. */
  static final int MAX_PARTS = 32;

  private final Emitter emitter;
  private final Storage storage;
  private final Uses uses;
  private final int inputs;
  private final List<MessagePart> message = new ArrayList<>();
  private final Map<Operand<?>, Span> homes = new LinkedHashMap<>();
  private final Map<String, Span> constants = new LinkedHashMap<>();
  private final Map<Field<?>, Landing> landings = new LinkedHashMap<>();
  private final Map<Loaded, Integer> regions = new HashMap<>();

  /**
   * @param inputs number of its inputs and buffers
   */
  Values(Emitter emitter, Storage storage, Uses uses, int inputs) {
    this.emitter = emitter;
    this.storage = storage;
    this.uses = uses;
    this.inputs = inputs;
  }

  /** Parts of the client's message. */
  List<MessagePart> message() {
    return message;
  }

  /**
   * True when a value that is put here once is still here in each lap. Laps do not change an entry
   * behind its control segment; everything else is restored to its initial content.
   */
  private boolean isKept(Span site) {
    return !emitter.isRepeated()
        || site.block() instanceof Instruction && site.offset() >= ControlSegment.BYTES;
  }

  /** True when the message has room for some more parts and still for the home of each input. */
  private boolean hasRoomInMessage(int parts) {
    return message.size() + parts + inputs <= MAX_PARTS;
  }

  /** True when a load scatters a field directly to its use. */
  private boolean goesToItsUse(Field<?> field) {
    return uses.livesAtItsUse(field)
        && regions.getOrDefault(field.loaded(), emitter.region()) == emitter.region();
  }

  private void copy(Span to, List<Span> from, String comment) {
    emitter.append(Instruction.write(Address.of(to), from, comment));
  }

  /** The value of a constant of at most 8 bytes. */
  static long number(Literal<?> literal) {
    byte[] word = Arrays.copyOf(literal.content(), Long.BYTES);
    return ByteBuffer.wrap(word).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  /**
   * Puts a part of an operand where it is used.
   *
   * @param from offset of the first byte of the operand
   * @param site destination, which determines the number of bytes
   */
  void place(Operand<?> operand, int from, Span site, Order order) {
    if (site.length() == 0) {
      return;
    }
    switch (operand) {
      case Literal<?> literal -> {
        byte[] part = Arrays.copyOfRange(literal.content(), from, from + site.length());
        put(site, order == Order.PLAIN ? part : MessagePart.reversed(part));
      }
      case Input<?> input when isKept(site) && hasRoomInMessage(1) ->
          message.add(
              new MessagePart(
                  input, from, order == Order.PLAIN ? Encoding.PLAIN : Encoding.REVERSED, site));
      case Field<?> field when goesToItsUse(field) -> landing(field).add(from, site, order);
      default -> {
        Span source = source(operand).part(from, site.length());
        if (order == Order.PLAIN) {
          copy(site, List.of(source), "copy " + operand);
        } else {
          reverse(source, site, "reverse " + operand);
        }
      }
    }
  }

  /** Copies bytes in reverse order. */
  void reverse(Span from, Span to, String comment) {
    Instruction read = Instruction.read(Address.of(from), comment);
    for (int i = to.length() - 1; i >= 0; i--) {
      read.scatter(to.part(i, 1));
    }
    emitter.append(read);
  }

  /** Puts a byte of memory, followed by a part of an operand, by one copy if possible. */
  void placeBehind(Span link, Operand<?> operand, int from, Span site) {
    Span rest = site.part(1, site.length() - 1);
    if (rest.length() > 0 && isCopied(operand)) {
      Span source = source(operand).part(from, rest.length());
      copy(site, List.of(link, source), "go on with " + operand);
    } else {
      place(operand, from, rest, Order.PLAIN);
      copy(site.part(0, 1), List.of(link), "go on");
    }
  }

  /** Splits an operand between two places, by one copy if possible. */
  void placeSplit(Operand<?> operand, Span first, Span second) {
    if (isCopied(operand)) {
      Instruction split = Instruction.read(Address.of(source(operand)), "copy " + operand);
      split.scatter(first);
      if (second.length() > 0) {
        split.scatter(second);
      }
      emitter.append(split);
    } else {
      place(operand, 0, first, Order.PLAIN);
      place(operand, first.length(), second, Order.PLAIN);
    }
  }

  /**
   * True when the negative of an operand is constant, or can be computed from an input of the
   * client that leaves room for {@link #borrow} bytes and a flag in a word. The message must have
   * room for the left number, too, if this is an input, because it is put into the message first.
   */
  boolean hasNegative(Operand<?> operand, Operand<?> left) {
    return operand instanceof Literal
        || operand instanceof Input
            && borrow(operand) + operand.bytes() < Long.BYTES
            && hasRoomInMessage(left instanceof Input ? 2 : 1);
  }

  /**
   * Has a fetch-and-add subtract an operand that {@linkplain #hasNegative has a negative}. For an
   * input, the client sends the complement; the 1 that is missing to the negative is a carry from
   * {@link #borrow} low bytes. The client sends no byte above the input: a sum there would change
   * flags.
   */
  void placeNegative(Operand<?> operand, Instruction subtract) {
    switch (operand) {
      case Literal<?> literal -> subtract.orOperand(Emitter.ADD, -number(literal));
      case Input<?> input -> {
        int above = borrow(input) + input.bytes();
        subtract.orOperand(Emitter.ADD, -1L << Byte.SIZE * above | 0xff);
        Span field = subtract.operandField(Emitter.ADD);
        message.add(
            new MessagePart(
                input, 0, Encoding.INVERTED, field.part(Long.BYTES - above, input.bytes())));
      }
      default ->
          throw new IllegalArgumentException("the negative of %s is not known".formatted(operand));
    }
  }

  /**
   * Number of bytes below a difference; they contain 1 and give {@link #placeNegative} its carry.
   */
  static int borrow(Operand<?> right) {
    return right instanceof Input ? 1 : 0;
  }

  private boolean isCopied(Operand<?> operand) {
    return operand instanceof Cell
        || operand instanceof Field<?> field && !goesToItsUse(field)
        || operand instanceof Input && (emitter.isRepeated() || !hasRoomInMessage(1));
  }

  /** The location from which an operand can be copied. */
  Span source(Operand<?> operand) {
    return switch (operand) {
      case Cell<?> cell -> storage.span(cell);
      case Literal<?> literal ->
          constants.computeIfAbsent(
              HexFormat.of().formatHex(literal.content()),
              hex -> storage.area("0x" + hex, literal.content()).whole());
      case DataPointer pointer -> homes.computeIfAbsent(pointer, _ -> address(pointer));
      case Input<?> input -> {
        Span home = homes.get(input);
        if (home == null) {
          home = home(input);
          message.add(new MessagePart(input, 0, Encoding.PLAIN, home));
        }
        yield home;
      }
      case Field<?> field -> {
        Span home = homes.get(field);
        if (home == null) {
          home = home(field);
          landing(field).add(0, home, Order.PLAIN);
        }
        yield home;
      }
    };
  }

  private Span home(Operand<?> operand) {
    Span home = storage.area(operand.toString(), new byte[operand.bytes()]).whole();
    homes.put(operand, home);
    return home;
  }

  private Span address(DataPointer pointer) {
    Area area = storage.area(pointer.toString(), new byte[Long.BYTES]);
    area.put(0, storage.target(pointer));
    return area.whole();
  }

  private static void put(Span site, byte[] bytes) {
    switch (site.block()) {
      case Area area -> area.put(site.offset(), bytes);
      case Instruction instruction -> instruction.put(site.offset(), bytes);
      case Gate _, Slot _, ReceiveRecord _, ClientMemory _ ->
          throw new IllegalArgumentException(site + " can't hold a constant");
    }
  }

  private Landing landing(Field<?> field) {
    return landings.computeIfAbsent(field, _ -> new Landing());
  }

  /** Lets the load of a field scatter it to a cell. */
  void land(Field<?> field, Span cell) {
    landing(field).add(0, cell, Order.PLAIN);
  }

  /** Lets a READ scatter the fields that it loads, once all their uses are known. */
  void scatter(Instruction read, List<Field<?>> fields) {
    List<Landing> places = new ArrayList<>();
    for (Field<?> field : fields) {
      regions.put(field.loaded(), emitter.region());
      homes.remove(field);
      Landing landing = new Landing();
      landings.put(field, landing);
      places.add(landing);
    }
    emitter.atEnd(
        () -> {
          int at = 0;
          for (int i = 0; i < places.size(); i++) {
            Field<?> field = fields.get(i);
            Landing landing = places.get(i);
            skip(read, field.offset() - at);
            if (landing.isEmpty()) {
              skip(read, field.bytes());
            } else {
              landing.spans().forEach(read::scatter);
            }
            at = field.offset() + field.bytes();
          }
        });
  }

  /**
   * The location for the original value of an atomic's word: the home of its fields, or the sink if
   * it has none.
   */
  Span answer(Loaded before) {
    if (before.fields().isEmpty()) {
      return storage.sink().span(0, Long.BYTES);
    }
    regions.put(before, emitter.region());
    Area home = storage.word(before.toString());
    before.fields().forEach(field -> homes.put(field, home.span(field.offset(), field.bytes())));
    return home.whole();
  }

  private void skip(Instruction read, int bytes) {
    if (bytes > 0) {
      read.scatter(storage.sink().span(0, bytes));
    }
  }
}
