package dev.bluebell.program.compile;

import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.program.Cell;
import dev.bluebell.program.Data;
import dev.bluebell.program.DataPointer;
import dev.bluebell.program.Field;
import dev.bluebell.program.Input;
import dev.bluebell.program.Literal;
import dev.bluebell.program.Loaded;
import dev.bluebell.program.Operand;
import dev.bluebell.program.plan.Address;
import dev.bluebell.program.plan.Area;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.Instruction;
import dev.bluebell.program.plan.MessagePart;
import dev.bluebell.program.plan.MessagePart.Encoding;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.program.plan.ReceiveRecord;
import dev.bluebell.program.plan.Recycler;
import dev.bluebell.program.plan.Restored;
import dev.bluebell.program.plan.Scheduler;
import dev.bluebell.program.plan.Slot;
import dev.bluebell.program.plan.Span;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Emits instructions and knows where values live. A value lives where it is used: a client's
 * message has an input once for each use, and what is loaded for one use is scattered to it. Only
 * what is used more than once has a home in memory, of which uses are copies.
 */
final class Emitter {
  /** Operands of compare-and-swaps, by their position. */
  static final int SWAP = 0;

  static final int COMPARE = 1;
  static final int SWAP_MASK = 2;
  static final int COMPARE_MASK = 3;

  /** Operands of fetch-and-adds. */
  static final int ADD = 0;

  static final int FIELDS = 1;

  /**
   * With as many barriers as there can be, a queue of so many is still within what one SEND_EN
   * reaches, 2^15.
   */
  private static final int MAX_WQEBBS = 1 << 12;

  private final String name;
  private final Uses uses;
  private final List<Instruction> instructions = new ArrayList<>();
  private final Set<Instruction> kept = new HashSet<>();
  private final Set<Instruction> erased = new HashSet<>();
  private final List<Area> conditions = new ArrayList<>();
  private final List<Area> areas = new ArrayList<>();
  private final List<MessagePart> message = new ArrayList<>();
  private final List<Runnable> last = new ArrayList<>();
  private final Map<Data, Area> data = new LinkedHashMap<>();
  private final Map<Operand<?>, Span> homes = new LinkedHashMap<>();
  private final Map<String, Span> constants = new LinkedHashMap<>();
  private final Map<Field<?>, Landing> landings = new LinkedHashMap<>();
  private final Area sink;
  private String construct = "";

  Emitter(String name, List<Data> data, Uses uses) {
    this.name = name;
    this.uses = uses;
    for (Data each : data) {
      Area area = Area.ofData(each.name(), each.content());
      this.data.put(each, area);
      areas.add(area);
    }
    for (Data each : data) {
      each.pointers().forEach((offset, to) -> area(each).put(offset, target(to)));
    }
    sink = Area.sink(Math.max(Long.BYTES, uses.longestLoad()));
    areas.add(sink);
  }

  // ---- memory

  /** Memory of so many bytes, zeroed at the start. */
  Area area(String kind, int bytes) {
    return area(kind + areas.size(), new byte[bytes]);
  }

  private Area area(String areaName, byte[] content) {
    Area area = Area.of(areaName, content);
    areas.add(area);
    return area;
  }

  /** A word of memory, zeroed at the start. */
  Area word(String kind) {
    return area(kind, Long.BYTES);
  }

  /** A word that asks a condition, and that a call changes. */
  Area condition() {
    Area word = word("if");
    conditions.add(word);
    return word;
  }

  /** Where data of the program lies. */
  Area area(Data of) {
    return Objects.requireNonNull(data.get(of), () -> of + " is of another program");
  }

  /** Where a cell lies. */
  Span span(Cell<?> cell) {
    return area(cell.data()).span(cell.offset(), cell.bytes());
  }

  /** What a constant pointer points to, up to the end of its data. */
  Span target(DataPointer pointer) {
    Area in = area(pointer.data());
    return in.span(pointer.offset(), in.bytes() - pointer.offset());
  }

  // ---- instructions

  /** Names the statement that the next instructions belong to. */
  void begin(String statement) {
    construct = statement;
  }

  void append(Instruction instruction) {
    instruction.belongTo(construct);
    instructions.add(instruction);
  }

  /** Appends instructions that only tell what is known already: they stay when a loop is left. */
  <T> T keeping(Supplier<T> appends) {
    int from = instructions.size();
    T result = appends.get();
    kept.addAll(instructions.subList(from, instructions.size()));
    return result;
  }

  /** Position of the next instruction. */
  int position() {
    return instructions.size();
  }

  /** The instructions from a position on that nobody arms and that do not stay. */
  List<Instruction> erasable(int from) {
    List<Instruction> erasable =
        instructions.subList(from, instructions.size()).stream()
            .filter(each -> !each.isArmed() && !kept.contains(each))
            .toList();
    erased.addAll(erasable);
    return erasable;
  }

  /** Puts instructions before others. */
  void insert(int position, List<Instruction> more) {
    more.forEach(each -> each.belongTo(instructions.get(position - 1).construct()));
    instructions.addAll(position, more);
  }

  /** Has something done when all instructions are there. */
  void atEnd(Runnable action) {
    last.add(action);
  }

  Instruction compareSwap(Span word, String comment) {
    return Instruction.compareSwap(word, sink, comment);
  }

  Instruction maskedCompareSwap(Span word, String comment) {
    return Instruction.maskedCompareSwap(word, sink, comment);
  }

  Instruction fetchAdd(Span word, String comment) {
    return Instruction.fetchAdd(word, sink, comment);
  }

  Instruction maskedFetchAdd(Span word, String comment) {
    return Instruction.maskedFetchAdd(word, sink, comment);
  }

  private void copy(Span to, List<Span> from, String comment) {
    append(Instruction.write(Address.of(to), from, comment));
  }

  // ---- operands

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
      case Input<?> input ->
          message.add(
              new MessagePart(
                  input, from, order == Order.PLAIN ? Encoding.PLAIN : Encoding.REVERSED, site));
      case Field<?> field when uses.livesAtItsUse(field) -> landing(field).add(from, site, order);
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
    append(read);
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
      append(split);
    } else {
      place(operand, 0, first, Order.PLAIN);
      place(operand, first.length(), second, Order.PLAIN);
    }
  }

  /** True when the negative of an operand is known, or the client can send what it is made of. */
  static boolean hasNegative(Operand<?> operand) {
    return operand instanceof Literal || operand instanceof Input;
  }

  /**
   * Has a fetch-and-add subtract an operand that {@linkplain #hasNegative has a negative}. Of an
   * input the client sends the complement, and no byte above it, where a sum would change flags:
   * what is missing to the negative is a carry from {@link #borrow} low bytes.
   */
  void placeNegative(Operand<?> operand, Instruction subtract) {
    switch (operand) {
      case Literal<?> literal -> subtract.orOperand(ADD, -number(literal));
      case Input<?> input -> {
        int above = borrow(input) + input.bytes();
        if (above >= Long.BYTES) {
          throw new CompileException(
              "%s has %d bytes; an input on the right side of less has at most 6: compare its first ones"
                  .formatted(input, input.bytes()));
        }
        subtract.orOperand(ADD, -1L << Byte.SIZE * above | 0xff);
        Span field = subtract.operandField(ADD);
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
    return operand instanceof Cell || operand instanceof Field<?> f && !uses.livesAtItsUse(f);
  }

  /** Where an operand can be copied from. */
  Span source(Operand<?> operand) {
    return switch (operand) {
      case Cell<?> cell -> span(cell);
      case Literal<?> literal ->
          constants.computeIfAbsent(
              HexFormat.of().formatHex(literal.content()),
              hex -> area("0x" + hex, literal.content()).whole());
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
    Span home = area(operand.toString(), new byte[operand.bytes()]).whole();
    homes.put(operand, home);
    return home;
  }

  private Span address(DataPointer pointer) {
    Area area = area(pointer.toString(), new byte[Long.BYTES]);
    area.put(0, target(pointer));
    return area.whole();
  }

  private static void put(Span site, byte[] bytes) {
    switch (site.block()) {
      case Area area -> area.put(site.offset(), bytes);
      case Instruction instruction -> instruction.put(site.offset(), bytes);
      case Slot _, ReceiveRecord _ ->
          throw new IllegalArgumentException(site + " takes no constant");
    }
  }

  // ---- loads

  private Landing landing(Field<?> field) {
    return landings.computeIfAbsent(field, _ -> new Landing());
  }

  /** Lets a field land in a cell when it is loaded. */
  void land(Field<?> field, Span cell) {
    landing(field).add(0, cell, Order.PLAIN);
  }

  /** Has a READ scatter what it loads, when all uses of the fields are known. */
  void scatter(Instruction read, List<Field<?>> fields) {
    atEnd(
        () -> {
          int at = 0;
          for (Field<?> field : fields) {
            skip(read, field.offset() - at);
            Landing landing = landings.get(field);
            if (landing == null) {
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
      return sink.span(0, Long.BYTES);
    }
    Area home = word(before.toString());
    before.fields().forEach(field -> homes.put(field, home.span(field.offset(), field.bytes())));
    return home.whole();
  }

  private void skip(Instruction read, int bytes) {
    if (bytes > 0) {
      read.scatter(sink.span(0, bytes));
    }
  }

  // ---- the end

  /**
   * The plan.
   *
   * @throws CompileException when an entry or a queue is longer than there can be
   */
  Plan plan(Target target, Model model, Calls calls) {
    last.forEach(Runnable::run);
    instructions.forEach(Emitter::checkSize);
    int wqebbs = instructions.stream().mapToInt(Instruction::wqebbs).sum();
    if (wqebbs > MAX_WQEBBS) {
      throw new CompileException(
          "%s would have %d WQEBBs, and a program has at most %d; do less in one program"
              .formatted(name, wqebbs, MAX_WQEBBS));
    }
    if (calls == Calls.ONE) {
      return new Plan(name, Scheduler.schedule(instructions, model), areas, message, calls);
    }
    boolean indexed = target == Target.CHECKED;
    Recycler.Laps laps;
    try {
      laps = Recycler.schedule(instructions, model, indexed, restored(), sink);
    } catch (IllegalArgumentException tooLong) {
      throw new CompileException(
          "%s: %s; do less in one program".formatted(name, tooLong.getMessage()));
    }
    areas.add(laps.table());
    return new Plan(name, laps.queues(), areas, message, calls);
  }

  /** What a call changes that arms, erases or asks. */
  private List<Restored> restored() {
    List<Restored> restored = new ArrayList<>();
    for (Area word : conditions) {
      restored.add(new Restored(word.whole(), word.content()));
    }
    for (Instruction each : instructions) {
      if (each.isArmed() || erased.contains(each)) {
        restored.addAll(each.restored());
      }
    }
    return restored;
  }

  private static void checkSize(Instruction instruction) {
    if (instruction.ds() > ControlSegment.MAX_DS) {
      throw new CompileException(
          "%s needs %d units of 16 bytes, and an entry has at most %d; name fewer fields, or copy"
                  .formatted(instruction, instruction.ds(), ControlSegment.MAX_DS)
              + " numbers before they are used");
    }
  }
}
