package dev.bluebell.program.compile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.program.Cell;
import dev.bluebell.program.Condition;
import dev.bluebell.program.Kind;
import dev.bluebell.program.Literal;
import dev.bluebell.program.Program;
import dev.bluebell.program.ProgramBuilder;
import dev.bluebell.program.Subprogram;
import dev.bluebell.program.offload.HashGet;
import dev.bluebell.program.offload.HashGet.Probing;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.Cost;
import dev.bluebell.program.plan.Entry;
import dev.bluebell.program.plan.Lane;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Costs of each construct, without the statements under it: the table of docs/program-compiler.md.
 */
class CostTest {
  private static final Path PAGE = Path.of("../docs/program-compiler.md");

  /** Comments of the instructions that prepare the other lap. */
  private static final Set<String> PREPARATION =
      Set.of("make the other lap ready", "count the lap");

  private final List<String> rows = new ArrayList<>();

  @Test
  void thePageHasTheCosts() throws IOException {
    row("`if =`, 6 bytes", p -> guarded(p, equal(p, 6)));
    row("`if =`, 7 bytes", p -> guarded(p, equal(p, 7)));
    row("`if =`, 8 bytes", p -> guarded(p, equal(p, 8)));
    row("`if <`", p -> guarded(p, less(p)));
    row("`if <` a cell", p -> guarded(p, lessThanCell(p)));
    row("`if` on some bits", p -> guarded(p, masked(p)));
    row("`if … otherwise`", CostTest::either);
    row("`breakWhen`, for each lap", CostTest::lapThatMayBeTheLast);
    assertThat(Files.readString(PAGE)).contains(String.join("\n", rows));
  }

  @Test
  void thePageHasTheCostsOfALapOfALoop() throws IOException {
    row("a lap: restored, numbered, enabled", (target, model) -> lap(false, target, model));
    row("the same with `breakWhen` at its end", (target, model) -> lap(true, target, model));
    assertThat(Files.readString(PAGE)).contains(String.join("\n", rows));
  }

  /** Half of the entries in the loop's queue, which has two laps, without those of the counter. */
  private static Cost lap(boolean breaks, Target target, Model model) {
    ProgramBuilder program = new ProgramBuilder("loop");
    Cell<Kind.Number> x = program.cell("x", 0);
    program.loop(
        () -> {
          program.add(x, Literal.number(1));
          program.breakWhen(Condition.equal(x.first(6), Literal.number(3, 6)));
        });
    Plan plan = Compiler.compile(program.build(), target, model);
    List<Cost> costs = new ArrayList<>();
    for (Entry entry : plan.queue(Lane.LOOP)) {
      if (!(entry.action() instanceof Entry.Work work)
          || PREPARATION.contains(work.instruction().comment())
          || breaks && !work.instruction().comment().startsWith("x +=")) {
        costs.add(Cost.of(entry));
      }
    }
    Cost both = Cost.sum(costs);
    // Two gates of a lap are SEND_ENs, one of which is initially a NOP.
    return new Cost(
        both.copies() / 2, both.atomics() / 2, both.waits() / 2, both.enables() / 2 - 1, 0);
  }

  @Test
  void anIfOfStockFirmwareIsTwoCopiesAndOneAtomic() {
    Cost cost = cost(p -> guarded(p, equal(p, 7)), Target.CHECKED, Model.ASSUMED);
    assertThat(List.of(cost.copies(), cost.atomics(), cost.waits(), cost.enables()))
        .containsExactly(2, 1, 0, 1);
  }

  @Test
  void anIfWithoutChecksIsOneCopyAndOneAtomic() {
    Cost cost = cost(p -> guarded(p, equal(p, 6)), Target.UNCHECKED, Model.ASSUMED);
    assertThat(List.of(cost.copies(), cost.atomics(), cost.waits(), cost.enables()))
        .containsExactly(1, 1, 0, 1);
  }

  @Test
  void lessIsTwoCopiesAndTwoAtomics() {
    Cost cost = cost(p -> guarded(p, less(p)), Target.CHECKED, Model.ASSUMED);
    assertThat(List.of(cost.copies(), cost.atomics(), cost.waits(), cost.enables()))
        .containsExactly(2, 2, 0, 1);
  }

  @Test
  void thePageHasTheCostsOfAFurtherCall() throws IOException {
    row("a call with one probe", CostTest::furtherCall);
    row("a call with three probes", (target, model) -> furtherCall(3, target, model));
    assertThat(Files.readString(PAGE)).contains(String.join("\n", rows));
  }

  private static Cost furtherCall(Target target, Model model) {
    return furtherCall(1, target, model);
  }

  /** Additional cost of a further call, compared with a program for one call. */
  private static Cost furtherCall(int probes, Target target, Model model) {
    Program program = new HashGet(6, 64, 8, probes, Probing.PARALLEL).program();
    Cost launcher = new Cost(0, 0, 1, 1, 2);
    return Cost.of(Compiler.compile(program, target, model, Calls.MANY))
        .minus(launcher)
        .minus(Cost.of(Compiler.compile(program, target, model)));
  }

  @Test
  void thePageHasTheCostsOfAFurtherCallOfASubprogram() throws IOException {
    rowWithSlots("called once more", (target, model) -> calledOnceMore(false, target, model));
    rowWithSlots("called once more, if a flag is set", (t, m) -> calledOnceMore(true, t, m));
    rowWithSlots(
        "written out once more",
        (target, model) -> inline(3, false, target, model).minus(inline(2, false, target, model)));
    rowWithSlots(
        "written out once more, if a flag is set",
        (target, model) -> inline(3, true, target, model).minus(inline(2, true, target, model)));
    assertThat(Files.readString(PAGE)).contains(String.join("\n", rows));
  }

  /** Includes the execution of the subprogram, but not its WQEBBs, which exist already. */
  private static Cost calledOnceMore(boolean conditional, Target target, Model model) {
    Plan plan = called(3, conditional, target, model);
    Cost lap = Cost.sum(plan.queue(Lane.SUBPROGRAM).stream().map(Cost::of).toList());
    Cost more = worker(plan).minus(worker(called(2, conditional, target, model)));
    return Cost.sum(
        List.of(more, new Cost(lap.copies(), lap.atomics(), lap.waits(), lap.enables(), 0)));
  }

  private static Cost worker(Plan plan) {
    return Cost.sum(plan.queue(Lane.WORKER).stream().map(Cost::of).toList());
  }

  private static Plan called(int times, boolean conditional, Target target, Model model) {
    ProgramBuilder program = new ProgramBuilder("calls");
    Cell<Kind.Number> x = program.cell("x", 0);
    Subprogram subprogram = program.subprogram("sub", () -> body(program, x));
    Cell<Kind.Number> flag = program.cell("flag", 1);
    program.repeat(
        times, round -> perhaps(program, conditional, flag, () -> program.call(subprogram)));
    return Compiler.compile(program.build(), target, model);
  }

  private static Cost inline(int times, boolean conditional, Target target, Model model) {
    ProgramBuilder program = new ProgramBuilder("inline");
    Cell<Kind.Number> x = program.cell("x", 0);
    Cell<Kind.Number> flag = program.cell("flag", 1);
    program.repeat(times, round -> perhaps(program, conditional, flag, () -> body(program, x)));
    return Cost.of(Compiler.compile(program.build(), target, model));
  }

  private static void perhaps(
      ProgramBuilder program, boolean conditional, Cell<Kind.Number> flag, Runnable body) {
    if (conditional) {
      program.when(Condition.equal(flag.first(7), Literal.number(1, 7)), body);
    } else {
      body.run();
    }
  }

  /** Three steps, each of which depends on the result of the one before. */
  private static void body(ProgramBuilder program, Cell<Kind.Number> x) {
    for (int step = 0; step < 3; step++) {
      Literal<Kind.Number> left = Literal.number(step, 7);
      program.when(Condition.equal(x.first(7), left), () -> program.add(x, Literal.number(1)));
    }
  }

  private void rowWithSlots(String construct, BiFunction<Target, Model, Cost> costs) {
    StringBuilder row = new StringBuilder("| ").append(construct);
    for (Target target : new Target[] {Target.UNCHECKED, Target.CHECKED}) {
      for (Model model : new Model[] {Model.ASSUMED, Model.CONSERVATIVE}) {
        Cost cost = costs.apply(target, model);
        row.append(" | %s, %d".formatted(cost.constructs(), cost.wqebbs()));
      }
    }
    rows.add(row.append(" |").toString());
  }

  private void row(String construct, Consumer<ProgramBuilder> program) {
    row(construct, (target, model) -> cost(program, target, model));
  }

  private void row(String construct, BiFunction<Target, Model, Cost> costs) {
    StringBuilder row = new StringBuilder("| ").append(construct);
    for (Target target : new Target[] {Target.UNCHECKED, Target.CHECKED}) {
      for (Model model : new Model[] {Model.ASSUMED, Model.CONSERVATIVE}) {
        row.append(" | ").append(costs.apply(target, model).constructs());
      }
    }
    rows.add(row.append(" |").toString());
  }

  /** Additional cost of a program, compared with one without the condition. */
  private static Cost cost(Consumer<ProgramBuilder> program, Target target, Model model) {
    ProgramBuilder conditional = new ProgramBuilder("conditional");
    program.accept(conditional);
    ProgramBuilder plain = new ProgramBuilder("plain");
    done(plain);
    return Cost.of(Compiler.compile(conditional.build(), target, model))
        .minus(Cost.of(Compiler.compile(plain.build(), target, model)));
  }

  private static void done(ProgramBuilder program) {
    done(program, "result");
  }

  private static void done(ProgramBuilder program, String cell) {
    program.set(program.cell(cell, 0), Literal.number(1));
  }

  private static void guarded(ProgramBuilder program, Condition condition) {
    program.when(condition, () -> done(program));
  }

  private static void either(ProgramBuilder program) {
    program.when(
        equal(program, 6),
        () -> done(program),
        () -> program.set(program.cell("other", 0), Literal.number(2)));
  }

  /** Additional cost of one more lap, without the copy in it. */
  private static Cost lapThatMayBeTheLast(Target target, Model model) {
    return loop(3, target, model).minus(loop(2, target, model)).minus(new Cost(1, 0, 0, 0, 1));
  }

  private static Cost loop(int laps, Target target, Model model) {
    ProgramBuilder program = new ProgramBuilder("loop");
    Condition condition = equal(program, 6);
    program.repeat(
        laps,
        lap -> {
          program.breakWhen(condition);
          done(program, "result" + lap);
        });
    return Cost.of(Compiler.compile(program.build(), target, model));
  }

  private static Cell<Kind.Number> x(ProgramBuilder program, int bytes) {
    return program.cell("x", 0).first(bytes);
  }

  private static Condition equal(ProgramBuilder program, int bytes) {
    return Condition.equal(x(program, bytes), Literal.number(3, bytes));
  }

  private static Condition less(ProgramBuilder program) {
    return Condition.less(x(program, 7), Literal.number(3, 7));
  }

  private static Condition lessThanCell(ProgramBuilder program) {
    return Condition.less(x(program, 7), program.cell("y", 0).first(7));
  }

  private static Condition masked(ProgramBuilder program) {
    return Condition.masked(x(program, 2), new byte[] {1, 0}, Literal.number(1, 2));
  }
}
