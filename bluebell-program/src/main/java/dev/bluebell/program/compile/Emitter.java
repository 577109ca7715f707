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
import dev.bluebell.program.Program;
import dev.bluebell.program.Subprogram;
import dev.bluebell.program.plan.Address;
import dev.bluebell.program.plan.Area;
import dev.bluebell.program.plan.Callee;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.ClientMemory;
import dev.bluebell.program.plan.Gate;
import dev.bluebell.program.plan.Instruction;
import dev.bluebell.program.plan.Lane;
import dev.bluebell.program.plan.Loop;
import dev.bluebell.program.plan.LoopScheduler;
import dev.bluebell.program.plan.MessagePart;
import dev.bluebell.program.plan.MessagePart.Encoding;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.program.plan.ReceiveRecord;
import dev.bluebell.program.plan.Recycler;
import dev.bluebell.program.plan.Restored;
import dev.bluebell.program.plan.Scheduler;
import dev.bluebell.program.plan.Sequence;
import dev.bluebell.program.plan.Sequence.Boundary;
import dev.bluebell.program.plan.Slot;
import dev.bluebell.program.plan.Span;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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

  /** Data segments of the longest receive entry. */
  private static final int MAX_PARTS = 32;

  /** Data segments that a READ has room for, behind control and remote address. */
  private static final int PIECES = ControlSegment.MAX_DS - 2;

  private static final int PROGRAM = 0;

  private static final int SUBPROGRAM = -1;

  /** Two for each loop. */
  private static final int LAPS = 2;

  private final String name;
  private final int inputs;
  private final Uses uses;
  private List<Instruction> instructions = new ArrayList<>();
  private final Set<Instruction> kept = new HashSet<>();
  private final Set<Instruction> erased = new HashSet<>();
  private List<Area> conditions = new ArrayList<>();
  private final List<Area> areas = new ArrayList<>();
  private final List<MessagePart> message = new ArrayList<>();
  private final List<Runnable> last = new ArrayList<>();
  private final Map<Data, Area> data = new LinkedHashMap<>();
  private final Map<Operand<?>, Span> homes = new LinkedHashMap<>();
  private final Map<String, Span> constants = new LinkedHashMap<>();
  private final Map<Field<?>, Landing> landings = new LinkedHashMap<>();
  private final Map<Loaded, Integer> regions = new HashMap<>();
  private final Area sink;

  /** A lap of a loop without a bound. */
  private record EmittedLap(List<Instruction> body, List<Area> conditions, Gate next, Gate exit) {}

  /**
   * A subprogram.
   *
   * @param opcodes what makes its instructions do something, if only a condition has them do so
   */
  private record EmittedSubprogram(
      Subprogram source, List<Instruction> body, List<Area> conditions, List<Restored> opcodes) {}

  /** A place where another queue works; places move when instructions are inserted before them. */
  private static final class Mark {
    final Boundary kind;

    /** Where the ring of the subprogram can be made ready for the call. */
    int ready;

    int position;

    Mark(Boundary kind, int ready, int position) {
      this.kind = kind;
      this.ready = ready;
      this.position = position;
    }

    void move(int from, int by) {
      ready += ready >= from ? by : 0;
      position += position >= from ? by : 0;
    }
  }

  // A program is a region, and so is each of the two laps of each loop, and a subprogram.
  private int region = PROGRAM;
  private final List<EmittedLap> laps = new ArrayList<>();
  private final List<Mark> marks = new ArrayList<>();
  private @Nullable EmittedSubprogram subprogram;
  private String construct = "";

  /**
   * An emitter.
   *
   * @param flags data that the program does not know
   */
  Emitter(Program program, List<Data> flags, Uses uses) {
    name = program.name();
    inputs = program.inputs().size() + program.buffers().size();
    this.uses = uses;
    for (Data each : program.data()) {
      Area area = Area.ofData(each.name(), each.content());
      this.data.put(each, area);
      areas.add(area);
    }
    for (Data each : program.data()) {
      each.pointers().forEach((offset, to) -> area(each).put(offset, target(to)));
    }
    flags.forEach(flag -> data.put(flag, area("flag " + flag, flag.content())));
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
    place(instruction);
    instructions.add(instruction);
  }

  private void place(Instruction instruction) {
    if (region == SUBPROGRAM) {
      instruction.moveTo(Lane.SUBPROGRAM);
    } else if (isRepeated()) {
      instruction.moveTo(loopOfLap(region - 1));
    }
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

  /**
   * The instructions from a position on that nobody arms and that do not stay.
   *
   * @param again true when they are executed again after they were erased
   */
  List<Instruction> erasable(int from, boolean again) {
    List<Instruction> erasable =
        instructions.subList(from, instructions.size()).stream()
            .filter(each -> !each.isArmed() && !kept.contains(each))
            .toList();
    if (again) {
      erased.addAll(erasable);
    }
    return erasable;
  }

  /** Puts instructions before others. */
  void insert(int position, List<Instruction> more) {
    more.forEach(each -> each.belongTo(instructions.get(position - 1).construct()));
    more.forEach(this::place);
    addAll(position, more, isRepeated() ? List.of() : marks);
  }

  /** Inserts instructions; some marks are behind them. */
  private void addAll(int position, List<Instruction> more, List<Mark> behind) {
    instructions.addAll(position, more);
    behind.forEach(mark -> mark.move(position, more.size()));
  }

  // ---- loops without a bound

  /** The queue of the loop that is emitted next. */
  Lane nextLoop() {
    return loopOfLap(laps.size());
  }

  private static Lane loopOfLap(int lap) {
    return lap < LAPS ? Lane.LOOP : Lane.SECOND_LOOP;
  }

  /** Emits one of the two laps of a loop; they are emitted one behind the other. */
  void lap(Gate next, Gate exit, Runnable body) {
    List<Instruction> outer = instructions;
    List<Area> outerConditions = conditions;
    if (laps.size() % LAPS == 0) {
      marks.add(new Mark(Boundary.LOOP, outer.size(), outer.size()));
    }
    instructions = new ArrayList<>();
    conditions = new ArrayList<>();
    region = laps.size() + 1;
    body.run();
    laps.add(new EmittedLap(instructions, conditions, next, exit));
    instructions = outer;
    conditions = outerConditions;
    region = PROGRAM;
  }

  /** True where instructions are executed again and again. */
  private boolean isRepeated() {
    return region != PROGRAM;
  }

  // ---- subprograms

  /**
   * Emits a call.
   *
   * @param body emits the instructions of the subprogram, when it is called for the first time
   * @param guard of the call
   * @param conditional true when not all calls of the program are made whatever happens
   */
  void call(Subprogram to, Runnable body, Guard guard, boolean conditional) {
    if (subprogram == null) {
      subprogram = emit(to, body, conditional);
    }
    int ready = position();
    if (conditional) {
      arm(subprogram.opcodes(), "do " + to, guard);
    }
    marks.add(new Mark(Boundary.CALL, ready, position()));
  }

  /** A READ makes a subprogram do something; what it can't do, it arms others to do. */
  private void arm(List<Restored> opcodes, String comment, Guard guard) {
    List<Instruction> others = opcodes.size() > PIECES ? copies(opcodes, comment) : List.of();
    Instruction arming = Instruction.read(Address.of(area("opcodes", PIECES).whole()), comment);
    fill(arming, others.isEmpty() ? opcodes : Callee.opcodes(others));
    guard.emit(arming);
    others.forEach(Instruction::arm);
    others.forEach(this::append);
  }

  private EmittedSubprogram emit(Subprogram source, Runnable body, boolean conditional) {
    String caller = construct;
    List<Instruction> outer = instructions;
    List<Area> outerConditions = conditions;
    instructions = new ArrayList<>();
    conditions = new ArrayList<>();
    region = SUBPROGRAM;
    body.run();
    List<Restored> opcodes = List.of();
    if (conditional) {
      List<Instruction> always = instructions.stream().filter(each -> !each.isArmed()).toList();
      opcodes = Callee.opcodes(always);
      always.forEach(Instruction::arm);
    }
    EmittedSubprogram emitted = new EmittedSubprogram(source, instructions, conditions, opcodes);
    instructions = outer;
    conditions = outerConditions;
    region = PROGRAM;
    construct = caller;
    return emitted;
  }

  /**
   * Puts the subprogram into its ring, and into the program what makes that ready for each call.
   */
  private @Nullable Callee callee(Target target, Model model) {
    EmittedSubprogram emitted = subprogram;
    if (emitted == null) {
      return null;
    }
    List<Restored> consumed = restored(emitted.conditions(), emitted.body());
    Callee callee = Callee.schedule(emitted.body(), consumed, model, target == Target.CHECKED);
    List<Mark> calls = marks.stream().filter(mark -> mark.kind == Boundary.CALL).toList();
    for (int call = calls.size() - 1; call >= 0; call--) {
      Mark mark = calls.get(call);
      String statement = "call " + emitted.source();
      List<Instruction> reads =
          copies(callee.before(call), "make %s ready".formatted(emitted.source()));
      reads.forEach(read -> read.belongTo(statement));
      addAll(mark.ready, reads, from(mark));
    }
    return callee;
  }

  /** A mark and those behind it; one before it may be at the same place. */
  private List<Mark> from(Mark mark) {
    return marks.subList(marks.indexOf(mark), marks.size());
  }

  private static void fill(Instruction read, List<Restored> pieces) {
    Area from = (Area) Objects.requireNonNull(read.remote()).span().block();
    int at = 0;
    for (Restored piece : pieces) {
      from.put(at, piece.content());
      read.scatter(piece.place());
      at += piece.content().length;
    }
  }

  /** READs that write constants to where they belong. */
  private List<Instruction> copies(List<Restored> pieces, String comment) {
    List<Instruction> reads = new ArrayList<>();
    for (int from = 0; from < pieces.size(); from += PIECES) {
      List<Restored> some = pieces.subList(from, Math.min(from + PIECES, pieces.size()));
      int bytes = some.stream().mapToInt(piece -> piece.content().length).sum();
      Instruction read = Instruction.read(Address.of(area("ready", bytes).whole()), comment);
      fill(read, some);
      reads.add(read);
    }
    return reads;
  }

  /**
   * True when what is put here once is here in each lap: nothing of an entry behind its control
   * segment is used up, and all else is made as it was at the start.
   */
  private boolean isKept(Span site) {
    return !isRepeated()
        || site.block() instanceof Instruction && site.offset() >= ControlSegment.BYTES;
  }

  /** True when the message can have one part more and still one for the home of each input. */
  private boolean hasRoomInMessage() {
    return message.size() + inputs < MAX_PARTS;
  }

  /** True when a field goes to its use when it is loaded. */
  private boolean goesToItsUse(Field<?> field) {
    return uses.livesAtItsUse(field) && regions.getOrDefault(field.loaded(), region) == region;
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
    return operand instanceof Cell
        || operand instanceof Field<?> field && !goesToItsUse(field)
        || operand instanceof Input && (isRepeated() || !hasRoomInMessage());
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
      case Gate _, Slot _, ReceiveRecord _, ClientMemory _ ->
          throw new IllegalArgumentException(site + " takes no constant");
    }
  }

  // ---- loads

  private Landing landing(Field<?> field) {
    checkRegion(field);
    return landings.computeIfAbsent(field, _ -> new Landing());
  }

  private void checkRegion(Field<?> field) {
    int loadedIn = regions.getOrDefault(field.loaded(), region);
    if (loadedIn != region && loadedIn != PROGRAM) {
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
      regions.put(field.loaded(), region);
      homes.remove(field);
      Landing landing = new Landing();
      landings.put(field, landing);
      places.add(landing);
    }
    atEnd(
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
      return sink.span(0, Long.BYTES);
    }
    regions.put(before, region);
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
    Callee callee;
    try {
      callee = callee(target, model);
    } catch (IllegalArgumentException tooLong) {
      throw tooLong(tooLong);
    }
    List<Instruction> all = new ArrayList<>(instructions);
    laps.forEach(lap -> all.addAll(lap.body()));
    if (subprogram != null) {
      all.addAll(subprogram.body());
    }
    all.forEach(Emitter::checkSize);
    int wqebbs = all.stream().mapToInt(Instruction::wqebbs).sum();
    if (wqebbs > MAX_WQEBBS) {
      throw new CompileException(
          "%s would have %d WQEBBs, and a program has at most %d; do less in one program"
              .formatted(name, wqebbs, MAX_WQEBBS));
    }
    if (!laps.isEmpty()) {
      return loop(sequence(callee), target, model);
    }
    if (calls == Calls.ONE) {
      return new Plan(name, Scheduler.schedule(sequence(callee), model), areas, message, calls);
    }
    boolean indexed = target == Target.CHECKED;
    Recycler.Laps laps;
    try {
      if (calls == Calls.REARMED) {
        return new Plan(
            name, Scheduler.scheduleRearmed(sequence(callee), model), areas, message, calls);
      }
      laps =
          Recycler.schedule(instructions, model, indexed, restored(conditions, instructions), sink);
    } catch (IllegalArgumentException tooLong) {
      throw tooLong(tooLong);
    }
    areas.add(laps.table());
    return new Plan(name, laps.queues(), areas, message, calls);
  }

  private Sequence sequence(@Nullable Callee callee) {
    List<List<Instruction>> blocks = new ArrayList<>();
    int from = 0;
    for (Mark mark : marks) {
      blocks.add(instructions.subList(from, mark.position));
      from = mark.position;
    }
    blocks.add(instructions.subList(from, instructions.size()));
    return new Sequence(blocks, marks.stream().map(mark -> mark.kind).toList(), callee);
  }

  private Plan loop(Sequence sequence, Target target, Model model) {
    LoopScheduler.Schedule schedule;
    try {
      schedule = LoopScheduler.schedule(sequence, loops(), model, target == Target.CHECKED, sink);
    } catch (IllegalArgumentException tooLong) {
      throw tooLong(tooLong);
    }
    areas.addAll(schedule.tables());
    return new Plan(name, schedule.queues(), areas, message, Calls.ONE);
  }

  private CompileException tooLong(IllegalArgumentException why) {
    return new CompileException("%s: %s; do less in one program".formatted(name, why.getMessage()));
  }

  private List<Loop> loops() {
    List<Loop> loops = new ArrayList<>();
    for (int lap = 0; lap < laps.size(); lap += LAPS) {
      loops.add(new Loop(loopOfLap(lap), half(laps.get(lap)), half(laps.get(lap + 1))));
    }
    return loops;
  }

  private Loop.Half half(EmittedLap lap) {
    return new Loop.Half(
        lap.body(), restored(lap.conditions(), lap.body()), lap.next(), lap.exit());
  }

  /** What a call or a lap changes that arms, erases or asks. */
  private List<Restored> restored(List<Area> words, List<Instruction> entries) {
    List<Restored> restored = new ArrayList<>();
    for (Area word : words) {
      restored.add(new Restored(word.whole(), word.content()));
    }
    for (Instruction each : entries) {
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
