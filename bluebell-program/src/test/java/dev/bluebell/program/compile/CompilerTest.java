package dev.bluebell.program.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.program.Buffer;
import dev.bluebell.program.Cell;
import dev.bluebell.program.Condition;
import dev.bluebell.program.Data;
import dev.bluebell.program.Input;
import dev.bluebell.program.Kind;
import dev.bluebell.program.Literal;
import dev.bluebell.program.Program;
import dev.bluebell.program.ProgramBuilder;
import dev.bluebell.program.offload.HashGet;
import dev.bluebell.program.offload.HashGet.Probing;
import dev.bluebell.program.offload.ListWalk;
import dev.bluebell.program.plan.Assembly;
import dev.bluebell.program.plan.Cost;
import dev.bluebell.program.plan.Lane;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CompilerTest {
  private final ProgramBuilder program = new ProgramBuilder("program");
  private final Cell<Kind.Number> a = program.cell("a", 0);
  private final Cell<Kind.Number> b = program.cell("b", 0);

  private Plan compile() {
    return Compiler.compile(program.build(), Target.CHECKED, Model.CONSERVATIVE);
  }

  private static Plan compile(HashGet get, Target target) {
    return Compiler.compile(get.program(), target, Model.CONSERVATIVE);
  }

  @Test
  void aHashGetHasNoCopyOfItsOperands() {
    Plan plan = compile(new HashGet(6, 64, 8, 1, Probing.PARALLEL), Target.CHECKED);
    assertThat(Assembly.of(plan).lines().map(line -> line.substring(0, 34).stripTrailing()))
        .containsExactly(
            "launcher 0  wait",
            "launcher 1  send_en",
            "worker 0    rdma_read",
            "worker 2    atomic_cs",
            "worker 3    rdma_write",
            "worker 4    wait",
            "worker 5    send_en",
            "client 0    nop→send",
            "call 0..7   scatter",
            "call 8..13  scatter");
  }

  @Test
  void theListingHasTheLayoutOfTheMessage() {
    Input<Kind.Number> number = program.number("number", 4);
    program.add(a, number);
    program.when(Condition.less(a.first(4), number), () -> program.set(b, Literal.number(1)));
    Input<Kind.Bytes> key = program.bytes("key", 9);
    program.when(Condition.equal(key, Literal.bytes(new byte[9])), () -> program.respond(b));
    Plan plan = compile();
    assertThat(
            Assembly.of(plan)
                .lines()
                .filter(line -> line.startsWith("call"))
                .map(line -> line.replaceFirst(" +scatter.*;", ";").strip()))
        .containsExactly(
            "call 0..3; number reversed",
            "call 4..7; number inverted and reversed",
            "call 8..14; key bytes 0 to 6",
            "call 15..16; key bytes 7 to 8");
    assertThat(plan.messageBytes()).isEqualTo(17);
  }

  @Test
  void withoutChecksAHashGetIsARedNProbe() {
    Plan plan = compile(new HashGet(6, 64, 8, 1, Probing.PARALLEL), Target.UNCHECKED);
    assertThat(Cost.of(plan)).hasToString("2C + 1A + 4E, 8 WQEBBs");
    assertThat(Cost.queues(plan)).isEqualTo(3);
  }

  @Test
  void parallelProbesShareOneBarrier() {
    Plan one = compile(new HashGet(6, 64, 8, 1, Probing.PARALLEL), Target.CHECKED);
    Plan four = compile(new HashGet(6, 64, 8, 4, Probing.PARALLEL), Target.CHECKED);
    assertThat(Cost.of(four).waits()).isEqualTo(Cost.of(one).waits());
    assertThat(Cost.of(four).enables()).isEqualTo(Cost.of(one).enables());
  }

  @Test
  void aStepOfAListIsOneBarrier() {
    Cost two = Cost.of(list(2));
    Cost three = Cost.of(list(3));
    assertThat(three.minus(two)).hasToString("3C + 1A + 3E, 8 WQEBBs");
  }

  @Test
  void leavingAListIsACopyAReadAndABarrierMoreForEachStep() {
    Cost two = Cost.of(listThatIsLeft(2, Target.CHECKED, Model.CONSERVATIVE));
    Cost three = Cost.of(listThatIsLeft(3, Target.CHECKED, Model.CONSERVATIVE));
    assertThat(three.minus(two)).hasToString("5C + 1A + 5E, 14 WQEBBs");
    two = Cost.of(listThatIsLeft(2, Target.CHECKED, Model.ASSUMED));
    three = Cost.of(listThatIsLeft(3, Target.CHECKED, Model.ASSUMED));
    assertThat(three.minus(two)).hasToString("5C + 1A + 3E, 12 WQEBBs");
  }

  private static Plan listThatIsLeft(int steps, Target target, Model model) {
    return Compiler.compile(new ListWalk(6, 64, steps, true).program(), target, model);
  }

  @Test
  void aBreakErasesWhatIsBehindItInItsLoopOnly() {
    program.repeat(
        2,
        lap -> {
          program.breakWhen(Condition.equal(a.first(6), Literal.number(lap, 6)));
          program.add(a, Literal.number(1));
        });
    program.add(b, Literal.number(1));
    assertThat(Assembly.of(compile()).lines().filter(line -> line.endsWith("; break")))
        .hasSize(2)
        .allMatch(line -> line.contains("nop→rdma_read"));
  }

  @Test
  void aLoopOfAnyLengthIsLeft() {
    program.repeat(
        40,
        lap -> {
          program.breakWhen(Condition.equal(a.first(7), Literal.number(lap, 7)));
          program.add(b, a);
        });
    assertThat(Cost.of(compile()).atomics()).isEqualTo(80);
  }

  @Test
  void asManyInputsAsAMessageHasPartsAreComparedAndAdded() {
    for (int count = 1; count <= 32; count++) {
      ProgramBuilder builder = new ProgramBuilder("program");
      Cell<Kind.Number> sum = builder.cell("sum", 0);
      List<Input<Kind.Number>> inputs =
          IntStream.range(0, count).mapToObj(i -> builder.number("input" + i, 3)).toList();
      for (int i = 1; i < count; i += 2) {
        builder.when(
            Condition.less(inputs.get(i - 1), inputs.get(i)),
            () -> builder.add(sum, Literal.number(1)));
      }
      inputs.forEach(input -> builder.add(sum, input));
      Plan plan = Compiler.compile(builder.build(), Target.CHECKED, Model.CONSERVATIVE);
      assertThat(plan.message()).hasSizeBetween(count, 32);
    }
  }

  @Test
  void memoryAndInputsOfAnotherProgramAreRefused() {
    ProgramBuilder other = new ProgramBuilder("other");
    Data table = other.data("table", 8);
    Buffer answer = other.buffer("answer", 8);
    Input<Kind.Number> key = other.number("key", 8);
    Literal<Kind.Number> one = Literal.number(1);
    isRefused(p -> p.set(table.number(0), one), "data table");
    isRefused(p -> p.respond(table, table.pointer(0), 8), "data table");
    isRefused(p -> p.data("pointers", 8).put(0, table.pointer(0)), "data table");
    isRefused(p -> p.respond(key), "input or buffer key");
    isRefused(p -> p.respondInto(answer, one), "input or buffer answer");
  }

  private static void isRefused(Consumer<ProgramBuilder> statement, String ofAnother) {
    ProgramBuilder builder = new ProgramBuilder("program");
    statement.accept(builder);
    Program program = builder.build();
    assertThatThrownBy(() -> Compiler.compile(program, Target.CHECKED, Model.CONSERVATIVE))
        .isInstanceOf(CompileException.class)
        .hasMessage("%s belongs to another program", ofAnother);
  }

  @Test
  void aBreakOutsideALoopIsRefused() {
    assertThatThrownBy(program::leave)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a program can leave a loop only from inside it");
  }

  private static Plan list(int steps) {
    return Compiler.compile(
        new ListWalk(6, 64, steps).program(), Target.CHECKED, Model.CONSERVATIVE);
  }

  @Test
  void independentStatementsHaveNoBarriers() {
    program.set(a, Literal.number(1));
    program.add(a, Literal.number(2));
    program.set(b, a);
    assertThat(Cost.of(compile())).hasToString("2C + 1A + 2E, 5 WQEBBs");
    assertThat(compile().wqebbs(Lane.CLIENT)).isZero();
  }

  @Test
  void aCellIsAddedToTheComplement() {
    program.when(Condition.less(a.first(7), b.first(7)), () -> program.set(a, b));
    assertThat(Assembly.of(compile())).contains("turn all bits of a[0..7)", "add b[0..7)");
  }

  @Test
  void anEntryThatWouldBeTooLongIsRefused() {
    var data = program.data("data", 1024);
    var loaded = program.load(data, data.pointer(0));
    for (int i = 0; i < 8; i++) {
      program.add(a, loaded.number(8 * i, 8));
    }
    assertThatThrownBy(this::compile)
        .isInstanceOf(CompileException.class)
        .hasMessageContaining("needs 66 units of 16 bytes, and an entry has at most 63");
  }

  @Test
  void aProgramThatWouldBeTooLongIsRefused() {
    program.repeat(4097, round -> program.add(a, Literal.number(round)));
    assertThatThrownBy(this::compile)
        .isInstanceOf(CompileException.class)
        .hasMessage(
            "program would have 4097 WQEBBs, and a program has at most 4096; do less in one"
                + " program");
  }

  @Test
  void aBreakThatWouldSkipTooMuchIsRefused() {
    program.repeat(
        2,
        lap -> {
          program.breakWhen(Condition.equal(a.first(6), Literal.number(lap, 6)));
          program.repeat(3722, _ -> program.add(b, Literal.number(1)));
        });
    assertThatThrownBy(this::compile)
        .isInstanceOf(CompileException.class)
        .hasMessageContaining("bytes of entries at once, and it can change 3721");
  }

  @Test
  void aConditionalCallOfATooLongSubprogramIsRefused() {
    var body =
        program.subprogram(
            "body", () -> program.repeat(3722, _ -> program.add(b, Literal.number(1))));
    program.when(Condition.equal(a.first(6), Literal.number(0, 6)), () -> program.call(body));
    assertThatThrownBy(this::compile)
        .isInstanceOf(CompileException.class)
        .hasMessage(
            "a condition would change 3722 bytes of entries at once, and it can change 3721; put"
                + " less into its loop or subprogram");
  }

  @Test
  void aMessageHasAtMost32Inputs() {
    for (int i = 0; i < 32; i++) {
      program.add(a, program.number("input" + i, 8));
    }
    assertThat(compile().message()).hasSize(32);
    program.add(a, program.number("another", 8));
    assertThatThrownBy(this::compile)
        .isInstanceOf(CompileException.class)
        .hasMessage(
            "program uses 33 inputs and buffers, and a message has at most 32 parts; join inputs"
                + " into fewer, longer ones");
  }

  @Test
  void aPointerPointsIntoTheDataThatItIsFollowedIn() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> program.load(program.data("data", 8), a.data().pointer(0)))
        .withMessage("&a[0] does not point into data");
  }

  @Test
  void aConstantLocationLiesInItsData() {
    var data = program.data("data", 64);
    for (long offset : new long[] {57, Integer.MAX_VALUE, 1L << 32, -8}) {
      ProgramBuilder other = new ProgramBuilder("other");
      other.respond(other.loadIndexed(other.data("data", 64), Literal.number(offset)).bytes(0, 8));
      assertThatThrownBy(() -> Compiler.compile(other.build(), Target.CHECKED, Model.CONSERVATIVE))
          .isInstanceOf(CompileException.class)
          .hasMessage(
              "8 bytes at offset %s do not lie in data, which has 64",
              Long.toUnsignedString(offset));
    }
    program.respond(program.load(data, data.pointer(60)).bytes(0, 8));
    assertThatThrownBy(this::compile).isInstanceOf(CompileException.class);
  }

  @Test
  void aLoadLandsInItsCellUnlessDestinationsOverlap() {
    var data = program.data("data", 16);
    var loaded = program.load(data, data.pointer(0));
    program.set(a, loaded.number(0, 8));
    program.set(b, loaded.number(8, 8));
    assertThat(Cost.of(compile()).copies()).isEqualTo(1);
    var again = program.load(data, data.pointer(0));
    program.set(a, again.number(8, 8));
    program.set(a, again.number(0, 8));
    assertThat(Cost.of(compile()).copies()).isEqualTo(3);
  }

  @Test
  void longNumbersAreNotOrdered() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Condition.less(a, Literal.number(1)))
        .withMessage(
            "a has 8 bytes; 'less' and 'masked' compare at most 7: first(7) of the cell has its"
                + " first 7 bytes");
    Input<Kind.Number> amount = program.number("amount", 8);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Condition.less(Literal.number(1), amount))
        .withMessage(
            "amount has 8 bytes; 'less' and 'masked' compare at most 7: declare amount with 7"
                + " bytes");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Condition.masked(amount, new byte[8], Literal.number(1)))
        .withMessageContaining("declare amount with 7 bytes");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Condition.less(Literal.number(1), Literal.number(2)))
        .withMessageEndingWith("a constant number of 7 bytes is Literal.number(value, 7)");
  }

  @Test
  void operandsOfOtherLengthsAreNotCompared() {
    Input<Kind.Number> amount = program.number("amount", 4);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Condition.equal(amount, Literal.number(100)))
        .withMessage(
            "amount has 4 bytes and 0x6400000000000000 has 8 bytes; compare operands of the same"
                + " length: a constant number of 4 bytes is Literal.number(value, 4)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Condition.equal(a, Literal.number(1, 7)))
        .withMessageEndingWith("a constant number of 8 bytes is Literal.number(value, 8)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Condition.less(amount, a))
        .withMessageEndingWith("first(4) of the cell has its first 4 bytes");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Condition.less(amount, a.first(3)))
        .withMessageEndingWith("declare amount with 3 bytes");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Condition.equal(program.bytes("key", 9), Literal.bytes(new byte[10])))
        .withMessageEndingWith("give 9 bytes");
  }

  @Test
  void aConstantThatDoesNotFitIsNotCompared() {
    Input<Kind.Number> amount = program.number("amount", 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Condition.less(amount, Literal.number(256)))
        .withMessageStartingWith("amount has 1 byte and 0x0001000000000000 has 8 bytes;")
        .withMessageEndingWith("the constant does not fit in 1 byte");
  }

  @Test
  void anAddendHasAtMostEightBytes() {
    Literal<Kind.Number> wide = new Literal<>(new byte[9]);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> program.add(a, wide))
        .withMessageContaining("has 9 bytes; an operand of an atomic has at most 8");
  }

  @Test
  void fieldsDoNotOverlap() {
    var loaded = program.load(program.data("data", 16), program.data("data2", 8).address(0));
    var unused = loaded.bytes(0, 8);
    assertThat(unused.bytes()).isEqualTo(8);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> loaded.pointer(4))
        .withMessageContaining("have bytes in common");
  }
}
