package dev.bluebell.program.compile;

import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.program.Condition;
import dev.bluebell.program.Data;
import dev.bluebell.program.DataPointer;
import dev.bluebell.program.Delivery;
import dev.bluebell.program.Field;
import dev.bluebell.program.Input;
import dev.bluebell.program.Literal;
import dev.bluebell.program.Location;
import dev.bluebell.program.Operand;
import dev.bluebell.program.Program;
import dev.bluebell.program.Statement;
import dev.bluebell.program.Subprogram;
import dev.bluebell.program.plan.Address;
import dev.bluebell.program.plan.Area;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.ClientMemory;
import dev.bluebell.program.plan.Gate;
import dev.bluebell.program.plan.Instruction;
import dev.bluebell.program.plan.Lane;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.program.plan.Span;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compiles programs to plans. */
public final class Compiler {
  private final Storage storage;
  private final Emitter emitter;
  private final Values values;
  private final Questions questions;
  private final Uses uses;
  private final Target target;
  private final Calls calls;

  /** Breaks of the innermost loop around the next statement. */
  private @Nullable Exits exits;

  /**
   * Gates of the current lap of an unbounded loop; {@code tail} has the breaks with nothing behind
   * them.
   */
  private List<Gate> gates = List.of();

  /** True when a condition may skip a call of the subprogram. */
  private boolean conditionalCalls;

  private final Set<Statement> tail = Collections.newSetFromMap(new IdentityHashMap<>());

  private Compiler(Program program, List<Data> flags, Uses uses, Target target, Calls calls) {
    this.uses = uses;
    storage = new Storage(program, flags, uses.longestLoad());
    emitter = new Emitter(storage);
    int inputs = program.inputs().size() + program.buffers().size();
    values = new Values(emitter, storage, uses, inputs);
    questions = new Questions(emitter, values);
    this.target = target;
    this.calls = calls;
  }

  /**
   * Compiles a program, for one call.
   *
   * @throws CompileException when it cannot be compiled
   */
  public static Plan compile(Program program, Target target, Model model) {
    return compile(program, target, model, Calls.ONE);
  }

  /**
   * Compiles a program.
   *
   * @param calls number of calls that the plan answers
   * @throws CompileException when it cannot be compiled
   */
  public static Plan compile(Program program, Target target, Model model, Calls calls) {
    // Lifting may split a branch, behind which its fields are still valid for the other part.
    Uses uses = new Uses(program.statements());
    Lifting.Lifted lifted = Lifting.lift(program);
    Program source = lifted.source();
    LoopRules.check(source);
    Compiler compiler = new Compiler(source, lifted.flags(), uses, target, calls);
    compiler.conditionalCalls = CallRules.check(source);
    compiler.statements(source.statements(), compiler.emitter::append);
    compiler.values.message().forEach(part -> checkOwn(part.input(), source));
    return compiler.plans(source.name()).plan(target, model);
  }

  private static void checkOwn(Input<?> input, Program program) {
    if (!program.inputs().contains(input)
        && program.buffers().stream().noneMatch(buffer -> buffer.place() == input)) {
      throw new CompileException("input or buffer %s belongs to another program".formatted(input));
    }
  }

  private PlanMaker plans(String name) {
    return new PlanMaker(name, emitter, storage, values.message(), calls);
  }

  private void statements(List<Statement> statements, Guard guard) {
    for (int i = 0; i < statements.size(); i++) {
      switch (statements.get(i)) {
        case Statement.Set set -> set(set, guard);
        case Statement.Load load ->
            i += load(load, statements.subList(i + 1, statements.size()), guard);
        case Statement.Store store -> store(store, guard);
        case Statement.Add add -> add(add, guard);
        case Statement.Update update -> update(update, guard);
        case Statement.Atomic atomic -> atomic(atomic, guard);
        case Statement.When when -> when(when, guard);
        case Statement.Loop loop -> loop(loop, guard);
        case Statement.Unbounded loop -> unbounded(loop, guard);
        case Statement.Call call -> call(call.to(), guard);
        case Statement.Break leave -> leave(leave, guard);
        case Statement.Respond respond ->
            guard.emit(
                answer(
                    respond.how(),
                    Address.of(values.source(respond.what())),
                    respond.what().bytes(),
                    respond));
        case Statement.RespondFrom respond -> respondFrom(respond, guard);
      }
    }
  }

  private void set(Statement.Set set, Guard guard) {
    guard.emit(
        Instruction.write(
            Address.of(storage.span(set.to())),
            List.of(values.source(set.from())),
            set.toString()));
  }

  /**
   * Emits a load. Sets that follow immediately, each into other data, take their fields from the
   * load; returns their number.
   */
  private int load(Statement.Load load, List<Statement> behind, Guard guard) {
    if (load.into().fields().isEmpty()) {
      return 0;
    }
    Instruction read = Instruction.read(address(load.from(), load.into().bytes()), load.toString());
    point(load.from(), read.remoteField());
    values.scatter(read, load.into().fields());
    guard.emit(read);
    List<Data> landed = new ArrayList<>(List.of(load.from().in()));
    for (Statement next : behind) {
      if (!(next instanceof Statement.Set set)
          || !(set.from() instanceof Field<?> field)
          || field.loaded() != load.into()
          || !uses.isUsedOnce(field)
          || landed.contains(set.to().data())) {
        break;
      }
      values.land(field, storage.span(set.to()));
      landed.add(set.to().data());
    }
    return landed.size() - 1;
  }

  private void store(Statement.Store store, Guard guard) {
    Instruction write =
        Instruction.write(
            address(store.to(), store.from().bytes()),
            List.of(values.source(store.from())),
            store.toString());
    point(store.to(), write.remoteField());
    guard.emit(write);
  }

  private void add(Statement.Add add, Guard guard) {
    Instruction fetchAdd = emitter.fetchAdd(storage.span(add.to()), add.toString());
    operand(add.addend(), fetchAdd, Emitter.ADD);
    guard.emit(fetchAdd);
  }

  private void update(Statement.Update update, Guard guard) {
    Instruction swap = emitter.maskedCompareSwap(storage.span(update.to()), update.toString());
    swap.orOperand(Emitter.SWAP, update.value());
    swap.orOperand(Emitter.SWAP_MASK, update.mask());
    guard.emit(swap);
  }

  private void atomic(Statement.Atomic atomic, Guard guard) {
    int opcode =
        switch (atomic.change()) {
          case Statement.Change.CompareSwap _ -> WqeOpcode.ATOMIC_CS;
          case Statement.Change.Exchange _ -> WqeOpcode.ATOMIC_MASKED_CS;
          case Statement.Change.FetchAdd add ->
              add.fieldEnds() == 0 ? WqeOpcode.ATOMIC_FA : WqeOpcode.ATOMIC_MASKED_FA;
        };
    Instruction instruction =
        Instruction.atomic(
            opcode,
            address(atomic.word(), Long.BYTES),
            values.answer(atomic.before()),
            atomic.toString());
    point(atomic.word(), instruction.remoteField());
    switch (atomic.change()) {
      case Statement.Change.CompareSwap swap -> {
        operand(swap.expected(), instruction, Emitter.COMPARE);
        operand(swap.desired(), instruction, Emitter.SWAP);
      }
      case Statement.Change.Exchange exchange -> {
        operand(exchange.value(), instruction, Emitter.SWAP);
        instruction.orOperand(Emitter.SWAP_MASK, -1);
      }
      case Statement.Change.FetchAdd add -> {
        operand(add.addend(), instruction, Emitter.ADD);
        if (add.fieldEnds() != 0) {
          instruction.orOperand(Emitter.FIELDS, add.fieldEnds());
        }
      }
    }
    guard.emit(instruction);
  }

  /** Puts an operand into an atomic as a number, zero-padded to 8 bytes. */
  private void operand(Operand<?> operand, Instruction atomic, int index) {
    Span field = atomic.operandField(index);
    int bytes = operand.bytes();
    values.place(operand, 0, field.part(Long.BYTES - bytes, bytes), Order.REVERSED);
  }

  private Instruction answer(Delivery how, Address from, int bytes, Statement statement) {
    return switch (how) {
      case Delivery.Message _ -> Instruction.send(from, bytes, statement.toString());
      case Delivery.Write write -> {
        ClientMemory to = new ClientMemory(write.to());
        Instruction instruction =
            Instruction.writeTo(to, write.told(), from, bytes, statement.toString());
        values.place(write.to().place(), 0, instruction.remoteAndKeyField(), Order.PLAIN);
        yield instruction;
      }
    };
  }

  private void respondFrom(Statement.RespondFrom respond, Guard guard) {
    Address from = address(respond.from(), respond.bytes());
    Instruction send = answer(respond.how(), from, respond.bytes(), respond);
    respond.behind().forEach(operand -> send.gather(values.source(operand)));
    point(respond.from(), send.localField());
    guard.emit(send);
  }

  // ---- conditions

  private void when(Statement.When when, Guard outer) {
    if (target == Target.UNCHECKED
        && when.condition() instanceof Condition.Equal equal
        && equal.left().bytes() <= OperandGuard.BYTES
        && !(equal.left() instanceof Literal)
        && isOneInstruction(when)) {
      statements(when.then(), new OperandGuard(emitter, values, outer, equal));
      return;
    }
    boolean both = !when.otherwise().isEmpty() || isTail(when.then());
    Flags flags = questions.ask(when.condition(), both);
    statements(when.then(), new FlagGuard(emitter, outer, flags, true));
    statements(when.otherwise(), new FlagGuard(emitter, outer, flags, false));
  }

  private boolean isOneInstruction(Statement.When when) {
    return when.then().size() == 1
        && !isTail(when.then())
        && when.otherwise().isEmpty()
        && !(when.then().getFirst() instanceof Statement.When)
        && !(when.then().getFirst() instanceof Statement.Loop);
  }

  /** True when statements end with a break that sets the gates whether it is taken or not. */
  private boolean isTail(List<Statement> statements) {
    return !statements.isEmpty() && tail.contains(statements.getLast());
  }

  // ---- loops

  /** Emits two identical laps. */
  private void unbounded(Statement.Unbounded loop, Guard guard) {
    tail.addAll(Tail.breaks(loop.body()));
    Lane lane = emitter.nextLoop();
    for (int lap = 0; lap < 2; lap++) {
      Gate next = Gate.next(lane);
      Gate exit = Gate.exit(lane);
      gates = List.of(next, exit);
      emitter.lap(
          next,
          exit,
          () -> {
            Exits own = new Exits(emitter, storage, gates, calls != Calls.ONE);
            exits = own;
            statements(loop.body(), guard);
            own.close();
          });
    }
    exits = null;
  }

  private void leave(Statement.Break leave, Guard guard) {
    if (tail.contains(leave) && guard instanceof FlagGuard flags) {
      flags.leave(gates.getFirst(), gates.getLast());
    } else {
      Objects.requireNonNull(exits).add(leave.toString(), guard);
    }
  }

  private void loop(Statement.Loop loop, Guard guard) {
    Exits outer = exits;
    exits = new Exits(emitter, storage, List.of(), true);
    List<List<Statement>> laps = loop.laps();
    for (int lap = 0; lap < laps.size(); lap++) {
      boolean last = lap == laps.size() - 1;
      statements(last ? Tail.withoutBreaks(laps.get(lap)) : laps.get(lap), guard);
    }
    exits.close();
    exits = outer;
  }

  private void call(Subprogram to, Guard guard) {
    Exits outer = exits;
    exits = null;
    emitter.call(to, () -> statements(to.body(), emitter::append), guard, conditionalCalls);
    exits = outer;
  }

  // ---- addresses

  /**
   * Address that an entry accesses: the exact range if the location is constant, otherwise all of
   * the data.
   */
  private Address address(Location location, int bytes) {
    Area in = storage.area(location.in());
    return switch (location) {
      case Location.At at when at.pointer() instanceof DataPointer pointer ->
          Address.of(known(storage.area(pointer.data()), pointer.offset(), bytes));
      case Location.Indexed indexed when indexed.offset() instanceof Literal<?> offset ->
          Address.of(known(in, Values.number(offset), bytes));
      default -> Address.hole(in);
    };
  }

  private static Span known(Area in, long offset, int bytes) {
    if (offset < 0 || offset > in.bytes() - bytes) {
      throw new CompileException(
          "%d bytes at offset %s do not lie in %s, which has %d"
              .formatted(bytes, Long.toUnsignedString(offset), in.name(), in.bytes()));
    }
    return in.span((int) offset, bytes);
  }

  /** Lets the program fill in an address that is not constant. */
  private void point(Location location, Span field) {
    switch (location) {
      case Location.At at -> {
        if (!(at.pointer() instanceof DataPointer)) {
          values.place(at.pointer(), 0, field, Order.PLAIN);
        }
      }
      case Location.Indexed indexed -> {
        if (!(indexed.offset() instanceof Literal)) {
          Span word = storage.word("address").whole();
          values.place(indexed.offset(), 0, word, Order.PLAIN);
          Instruction base = emitter.fetchAdd(word, "add the address of " + location.in());
          base.addAddress(storage.area(location.in()));
          emitter.append(base);
          values.reverse(word, field, "point to " + location);
        }
      }
    }
  }
}
