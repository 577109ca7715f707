package dev.bluebell.program.compile;

import dev.bluebell.program.Subprogram;
import dev.bluebell.program.plan.Address;
import dev.bluebell.program.plan.Area;
import dev.bluebell.program.plan.Callee;
import dev.bluebell.program.plan.Gate;
import dev.bluebell.program.plan.Instruction;
import dev.bluebell.program.plan.Lane;
import dev.bluebell.program.plan.Restored;
import dev.bluebell.program.plan.Sequence.Boundary;
import dev.bluebell.program.plan.Span;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Emits instructions: of the program itself, of the laps of its loops, and of a subprogram. */
final class Emitter {
  /** Operands of compare-and-swaps, by their position. */
  static final int SWAP = 0;

  static final int COMPARE = 1;
  static final int SWAP_MASK = 2;
  static final int COMPARE_MASK = 3;

  /** Operands of fetch-and-adds. */
  static final int ADD = 0;

  static final int FIELDS = 1;

  /** What is neither in a loop nor in a subprogram. */
  static final int PROGRAM = 0;

  private static final int SUBPROGRAM = -1;

  /** Two for each loop. */
  static final int LAPS = 2;

  private final Storage storage;
  private List<Instruction> instructions = new ArrayList<>();
  private final Set<Instruction> kept = new HashSet<>();
  private final Set<Instruction> erased = new HashSet<>();
  private List<Area> conditions = new ArrayList<>();
  private final List<Runnable> last = new ArrayList<>();

  /** A lap of a loop without a bound. */
  record EmittedLap(List<Instruction> body, List<Area> conditions, Gate next, Gate exit) {}

  /**
   * A subprogram.
   *
   * @param opcodes what makes its instructions do something, if only a condition has them do so
   */
  record EmittedSubprogram(
      Subprogram source, List<Instruction> body, List<Area> conditions, List<Restored> opcodes) {}

  /** A place where another queue works; places move when instructions are inserted before them. */
  static final class Mark {
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

  /** One that has emitted nothing. */
  Emitter(Storage storage) {
    this.storage = storage;
  }

  // ---- instructions

  /** A word that asks a condition, and that a call changes. */
  Area condition() {
    Area word = storage.word("if");
    conditions.add(word);
    return word;
  }

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

  /** The queue of a lap. */
  static Lane loopOfLap(int lap) {
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

  /** Where instructions go now: the program, a lap or the subprogram. */
  int region() {
    return region;
  }

  /** True where instructions are executed again and again. */
  boolean isRepeated() {
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
    List<Instruction> others =
        opcodes.size() > Copies.PIECES ? Copies.of(opcodes, storage, comment) : List.of();
    Instruction arming =
        Instruction.read(Address.of(storage.area("opcodes", Copies.PIECES).whole()), comment);
    Copies.fill(arming, others.isEmpty() ? opcodes : Callee.opcodes(others));
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

  /** Inserts what makes the subprogram ready for a call. */
  void makeReady(Mark call, List<Instruction> reads) {
    addAll(call.ready, reads, from(call));
  }

  /** A mark and those behind it; one before it may be at the same place. */
  private List<Mark> from(Mark mark) {
    return marks.subList(marks.indexOf(mark), marks.size());
  }

  /** Has something done when all instructions are there. */
  void atEnd(Runnable action) {
    last.add(action);
  }

  Instruction compareSwap(Span word, String comment) {
    return Instruction.compareSwap(word, storage.sink(), comment);
  }

  Instruction maskedCompareSwap(Span word, String comment) {
    return Instruction.maskedCompareSwap(word, storage.sink(), comment);
  }

  Instruction fetchAdd(Span word, String comment) {
    return Instruction.fetchAdd(word, storage.sink(), comment);
  }

  Instruction maskedFetchAdd(Span word, String comment) {
    return Instruction.maskedFetchAdd(word, storage.sink(), comment);
  }

  // ---- what was emitted

  /** Does what was left until all instructions are there. */
  void finish() {
    last.forEach(Runnable::run);
  }

  /** All that is neither in a loop nor in a subprogram. */
  List<Instruction> instructions() {
    return instructions;
  }

  /** The words of its conditions. */
  List<Area> conditions() {
    return conditions;
  }

  /** The laps of loops, two of each. */
  List<EmittedLap> laps() {
    return laps;
  }

  /** Where other queues work. */
  List<Mark> marks() {
    return marks;
  }

  /** What is called; null when nothing is. */
  @Nullable EmittedSubprogram subprogram() {
    return subprogram;
  }

  /** True for what a break erases that is executed again. */
  boolean isErased(Instruction instruction) {
    return erased.contains(instruction);
  }
}
