package dev.bluebell.program.compile;

import dev.bluebell.hca.wqe.WqeOpcode;
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

/**
 * Collects instructions: those of the program itself, of the laps of its loops, and of a
 * subprogram.
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

  /** Region of instructions outside of loops and the subprogram. */
  static final int PROGRAM = 0;

  private static final int SUBPROGRAM = -1;

  /** Regions of a loop, one per lap. */
  static final int LAPS = 2;

  private final Storage storage;
  private List<Instruction> instructions = new ArrayList<>();
  private final Set<Instruction> kept = new HashSet<>();
  private final Set<Instruction> erased = new HashSet<>();
  private List<Area> conditions = new ArrayList<>();
  private final List<Runnable> last = new ArrayList<>();

  /** A lap of an unbounded loop. */
  record EmittedLap(List<Instruction> body, List<Area> conditions, Gate next, Gate exit) {}

  /**
   * A subprogram.
   *
   * @param opcodes bytes that arm its instructions, if a condition decides whether they execute
   */
  record EmittedSubprogram(
      Subprogram source, List<Instruction> body, List<Area> conditions, List<Restored> opcodes) {}

  /** A position where another queue works; it moves when instructions are inserted before it. */
  static final class Mark {
    final Boundary kind;

    /** Position where instructions can prepare the subprogram's ring for the call. */
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

  // Regions: the program, each of the two laps of each loop, and the subprogram.
  private int region = PROGRAM;
  private final List<EmittedLap> laps = new ArrayList<>();
  private final List<Mark> marks = new ArrayList<>();
  private @Nullable EmittedSubprogram subprogram;

  Emitter(Storage storage) {
    this.storage = storage;
  }

  // ---- instructions

  /** A word of memory that evaluates a condition; each call changes it. */
  Area condition() {
    Area word = storage.word("if");
    conditions.add(word);
    return word;
  }

  void append(Instruction instruction) {
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

  /** Appends instructions that only copy known answers; they are not erased when a loop is left. */
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
   * The instructions from a position on that a break must erase: those that are neither armed nor
   * kept.
   *
   * @param again true when erased instructions may be executed again
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

  /** Inserts instructions at a position. */
  void insert(int position, List<Instruction> more) {
    more.forEach(this::place);
    addAll(position, more, isRepeated() ? List.of() : marks);
  }

  /** Inserts instructions and moves the marks behind them. */
  private void addAll(int position, List<Instruction> more, List<Mark> behind) {
    instructions.addAll(position, more);
    behind.forEach(mark -> mark.move(position, more.size()));
  }

  // ---- loops without a bound

  /** The queue of the next loop. */
  Lane nextLoop() {
    return loopOfLap(laps.size());
  }

  /** The queue of a lap. */
  static Lane loopOfLap(int lap) {
    return lap < LAPS ? Lane.LOOP : Lane.SECOND_LOOP;
  }

  /** Emits one of the two laps of a loop; the second must follow the first. */
  void lap(Gate next, Gate exit, Runnable body) {
    if (laps.size() % LAPS == 0) {
      marks.add(new Mark(Boundary.LOOP, instructions.size(), instructions.size()));
    }
    laps.add(
        inRegion(
            laps.size() + 1, body, () -> new EmittedLap(instructions, conditions, next, exit)));
  }

  /** Emits into another region, and returns what is made of its instructions and conditions. */
  private <T> T inRegion(int number, Runnable body, Supplier<T> made) {
    List<Instruction> outer = instructions;
    List<Area> outerConditions = conditions;
    instructions = new ArrayList<>();
    conditions = new ArrayList<>();
    region = number;
    body.run();
    T emitted = made.get();
    instructions = outer;
    conditions = outerConditions;
    region = PROGRAM;
    return emitted;
  }

  /** Region of the next instruction. */
  int region() {
    return region;
  }

  /**
   * True in laps and the subprogram, whose instructions may be executed more than once per call.
   */
  boolean isRepeated() {
    return region != PROGRAM;
  }

  // ---- subprograms

  /**
   * Emits a call.
   *
   * @param body emits the instructions of the subprogram, when it is called for the first time
   * @param guard of the call
   * @param conditional true when a condition may skip a call
   */
  void call(Subprogram to, Runnable body, Guard guard, boolean conditional) {
    if (subprogram == null) {
      subprogram = inRegion(SUBPROGRAM, body, () -> emitted(to, conditional));
    }
    int ready = position();
    if (conditional) {
      arm(subprogram.opcodes(), "do " + to, guard);
    }
    marks.add(new Mark(Boundary.CALL, ready, position()));
  }

  /**
   * Emits a READ that arms the instructions of a subprogram; if they need more than one READ, it
   * arms further READs, which do so.
   */
  private void arm(List<Restored> opcodes, String comment, Guard guard) {
    Copies.checkInTwoSteps(opcodes.size());
    List<Instruction> others =
        opcodes.size() > Copies.PIECES ? Copies.of(opcodes, storage, comment) : List.of();
    Instruction arming =
        Instruction.read(Address.of(storage.area("opcodes", Copies.PIECES).whole()), comment);
    Copies.fill(arming, others.isEmpty() ? opcodes : Callee.opcodes(others));
    guard.emit(arming);
    others.forEach(Instruction::arm);
    others.forEach(this::append);
  }

  private EmittedSubprogram emitted(Subprogram source, boolean conditional) {
    List<Restored> opcodes = List.of();
    if (conditional) {
      List<Instruction> always = instructions.stream().filter(each -> !each.isArmed()).toList();
      opcodes = Callee.opcodes(always);
      always.forEach(Instruction::arm);
    }
    return new EmittedSubprogram(source, instructions, conditions, opcodes);
  }

  /** Inserts READs that prepare the subprogram's ring for a call. */
  void makeReady(Mark call, List<Instruction> reads) {
    addAll(call.ready, reads, from(call));
  }

  /** A mark and all later ones; an earlier mark may have the same position. */
  private List<Mark> from(Mark mark) {
    return marks.subList(marks.indexOf(mark), marks.size());
  }

  /** Defers an action until all instructions exist. */
  void atEnd(Runnable action) {
    last.add(action);
  }

  Instruction compareSwap(Span word, String comment) {
    return Instruction.atomic(WqeOpcode.ATOMIC_CS, word, storage.sink(), comment);
  }

  Instruction maskedCompareSwap(Span word, String comment) {
    return Instruction.atomic(WqeOpcode.ATOMIC_MASKED_CS, word, storage.sink(), comment);
  }

  Instruction fetchAdd(Span word, String comment) {
    return Instruction.atomic(WqeOpcode.ATOMIC_FA, word, storage.sink(), comment);
  }

  Instruction maskedFetchAdd(Span word, String comment) {
    return Instruction.atomic(WqeOpcode.ATOMIC_MASKED_FA, word, storage.sink(), comment);
  }

  // ---- results

  /** Runs the deferred actions. */
  void finish() {
    last.forEach(Runnable::run);
  }

  /** All instructions outside of loops and the subprogram. */
  List<Instruction> instructions() {
    return instructions;
  }

  /** The words that evaluate conditions, outside of loops and the subprogram. */
  List<Area> conditions() {
    return conditions;
  }

  /** The laps of loops, two of each. */
  List<EmittedLap> laps() {
    return laps;
  }

  /** Positions where other queues work. */
  List<Mark> marks() {
    return marks;
  }

  /** The subprogram; null when the program calls none. */
  @Nullable EmittedSubprogram subprogram() {
    return subprogram;
  }

  /** True when a break erases the instruction and it may be executed again. */
  boolean isErased(Instruction instruction) {
    return erased.contains(instruction);
  }
}
