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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Knows where values live. A value lives where it is used: a client's message has an input once for
 * each use, and what is loaded for one use is scattered to it. Only what is used more than once has
 * a home in memory, of which uses are copies.
 */
final class Values {
  /** Data segments of the longest receive entry. */
  private static final int MAX_PARTS = 32;

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
   * Of a program.
   *
   * @param inputs how many it has
   */
  Values(Emitter emitter, Storage storage, Uses uses, int inputs) {
    this.emitter = emitter;
    this.storage = storage;
    this.uses = uses;
    this.inputs = inputs;
  }

  /** What the client sends. */
  List<MessagePart> message() {
    return message;
  }

  /**
   * True when what is put here once is here in each lap: nothing of an entry behind its control
   * segment is used up, and all else is made as it was at the start.
   */
  private boolean isKept(Span site) {
    return !emitter.isRepeated()
        || site.block() instanceof Instruction && site.offset() >= ControlSegment.BYTES;
  }

  /** True when the message can have one part more and still one for the home of each input. */
  private boolean hasRoomInMessage() {
    return message.size() + inputs < MAX_PARTS;
  }

  /** True when a field goes to its use when it is loaded. */
  private boolean goesToItsUse(Field<?> field) {
    return uses.livesAtItsUse(field)
        && regions.getOrDefault(field.loaded(), emitter.region()) == emitter.region();
  }

  private void copy(Span to, List<Span> from, String comment) {
    emitter.append(Instruction.write(Address.of(to), from, comment));
  }

  /** The number that a constant of at most 8 bytes is. */
  static long number(Literal<?> literal) {
    byte[] content = literal.content();
    long number = 0;
    for (int i = content.length - 1; i >= 0; i--) {
      number = number << 8 | content[i] & 0xff;
    }
    return number;
  }

  /**
   * Puts a part of an operand where it is used.
   *
   * @param from first byte of the operand
   * @param site where it goes, as many bytes as are wanted
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
      case Input<?> input when isKept(site) && hasRoomInMessage() ->
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

  /** Copies bytes, the last one first. */
  void reverse(Span from, Span to, String comment) {
    Instruction read = Instruction.read(Address.of(from), comment);
    for (int i = to.length() - 1; i >= 0; i--) {
      read.scatter(to.part(i, 1));
    }
    emitter.append(read);
  }

  /** Puts a byte of memory and behind it a part of an operand, by one copy where that can be. */
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

  /** Puts an operand to two places, one part behind the other, by one copy where that can be. */
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

  /** True when the negative of an operand is known, or the client can send what it is made of. */
  boolean hasNegative(Operand<?> operand) {
    return operand instanceof Literal || operand instanceof Input && hasRoomInMessage();
  }

  /**
   * Has a fetch-and-add subtract an operand that {@linkplain #hasNegative has a negative}. Of an
   * input the client sends the complement, and no byte above it, where a sum would change flags:
   * what is missing to the negative is a carry from {@link #borrow} low bytes.
   */
  void placeNegative(Operand<?> operand, Instruction subtract) {
    switch (operand) {
      case Literal<?> literal -> subtract.orOperand(Emitter.ADD, -number(literal));
      case Input<?> input -> {
        int above = borrow(input) + input.bytes();
        if (above >= Long.BYTES) {
          throw new CompileException(
              "%s has %d bytes; an input on the right side of less has at most 6: compare its first ones"
                  .formatted(input, input.bytes()));
        }
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

  /** Bytes below a difference, with 1 in them, that {@link #placeNegative} carries from. */
  static int borrow(Operand<?> right) {
    return right instanceof Input ? 1 : 0;
  }

  private boolean isCopied(Operand<?> operand) {
    return operand instanceof Cell
        || operand instanceof Field<?> field && !goesToItsUse(field)
        || operand instanceof Input && (emitter.isRepeated() || !hasRoomInMessage());
  }

  /** Where an operand can be copied from. */
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
        checkRegion(field);
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
          throw new IllegalArgumentException(site + " takes no constant");
    }
  }

  private Landing landing(Field<?> field) {
    checkRegion(field);
    return landings.computeIfAbsent(field, _ -> new Landing());
  }

  private void checkRegion(Field<?> field) {
    int loadedIn = regions.getOrDefault(field.loaded(), emitter.region());
    if (loadedIn != emitter.region() && loadedIn != Emitter.PROGRAM) {
      throw new CompileException(
          "%s is loaded in a loop or a subprogram, and means nothing outside of it or the next time; keep it in a cell"
              .formatted(field));
    }
  }

  /** Lets a field land in a cell when it is loaded. */
  void land(Field<?> field, Span cell) {
    landing(field).add(0, cell, Order.PLAIN);
  }

  /** Has a READ scatter what it loads, when all uses of the fields are known. */
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

  /** Where an atomic puts what a word was: where its fields live, or nowhere when it has none. */
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
