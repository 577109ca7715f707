package dev.bluebell.program.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.program.Cell;
import dev.bluebell.program.Condition;
import dev.bluebell.program.Data;
import dev.bluebell.program.Input;
import dev.bluebell.program.Interpreter;
import dev.bluebell.program.Kind;
import dev.bluebell.program.Literal;
import dev.bluebell.program.Program;
import dev.bluebell.program.ProgramBuilder;
import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.offload.Offload;
import dev.bluebell.program.plan.Assembly;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.ImageBuilder;
import dev.bluebell.program.plan.Lane;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Placement;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.softnic.VirtualTime;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verifier.Mutations;
import dev.bluebell.verifier.Mutations.Mutation;
import dev.bluebell.verifier.Rules;
import dev.bluebell.verifier.Verdict;
import dev.bluebell.verifier.Verifier;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs for many calls. */
class ManyCallsTest {
  /** Indices of WQEs and limits of queues have 16 bits. */
  private static final int INDICES = 1 << 16;

  private final ProgramBuilder builder = new ProgramBuilder("count");
  private final Input<Kind.Number> addend = builder.number("addend", 8);
  private final Cell<Kind.Number> sum = builder.cell("sum", 0);

  @Test
  void theProgramSurvivesTheWrapOfAllIndices() {
    // A long program needs few laps to use up all indices, and several READs to restore a lap.
    builder.add(sum, addend);
    builder.repeat(100, time -> builder.add(sum, Literal.number(time)));
    builder.when(
        Condition.equal(sum.first(1), Literal.number(7, 1)),
        () -> builder.add(sum, Literal.number(1)));
    builder.respond(sum);
    Program program = builder.build();
    Plan plan = Compiler.compile(program, Target.CHECKED, Model.CONSERVATIVE, Calls.MANY);
    int calls = INDICES / plan.wqebbs(Lane.WORKER) + 8;
    try (Host host = new Host(plan, SoftNicOptions.DEFAULT)) {
      Interpreter interpreter = new Interpreter(program, host.addresses(program));
      for (int call = 0; call < calls; call++) {
        Map<Input<?>, byte[]> inputs = Map.of(addend, Literal.number(call % 11).content());
        assertThat(host.call(inputs))
            .as("call %d", call)
            .usingRecursiveComparison()
            .isEqualTo(interpreter.call(inputs));
      }
    }
  }

  @Test
  void aKeyThatNoLapFindsIsAnsweredBehindTheLoop() {
    Input<Kind.Number> key = builder.number("key", 6);
    Data keys = builder.data("keys", 32).put(0, (byte) 4).put(8, (byte) 5).put(16, (byte) 6);
    Cell<Kind.Number> missed = builder.cell("missed", 0);
    builder.set(missed, Literal.number(1));
    builder.repeat(
        3,
        lap ->
            builder.when(
                Condition.equal(keys.number(8 * lap).first(6), key),
                () -> {
                  builder.respond(Literal.number(lap));
                  builder.set(missed, Literal.number(0));
                  builder.leave();
                }));
    builder.when(
        Condition.equal(missed.first(1), Literal.number(1, 1)),
        () -> builder.respond(Literal.number(99)));
    Program program = builder.build();
    for (Target target : Target.values()) {
      for (Model model : Model.values()) {
        Plan plan = Compiler.compile(program, target, model, Calls.MANY);
        SoftNicOptions options =
            SoftNicOptions.DEFAULT
                .withWqeChecks(target == Target.CHECKED)
                .withFencedEnables(model == Model.ASSUMED)
                .withAdversary(1);
        try (Host host = new Host(plan, options)) {
          for (int wanted : new int[] {5, 7, 4, 6, 9, 5}) {
            long answer = wanted >= 4 && wanted <= 6 ? wanted - 4 : 99;
            assertThat(
                    host.call(
                        Map.of(addend, new byte[8], key, Literal.number(wanted, 6).content())))
                .as("%s, %s, key %d", target, model, wanted)
                .containsExactly(Literal.number(answer).content());
          }
        }
      }
    }
  }

  @Test
  void aProgramThatOnlySendsIsCalledAgain() {
    builder.respond(addend);
    Program program = builder.build();
    Plan plan = Compiler.compile(program, Target.CHECKED, Model.ASSUMED, Calls.MANY);
    try (Host host = new Host(plan, SoftNicOptions.DEFAULT.withFencedEnables(true))) {
      for (byte call = 0; call < 5; call++) {
        byte[] value = Literal.number(call).content();
        assertThat(host.call(Map.of(addend, value))).containsExactly(value);
      }
    }
  }

  @Test
  void aProgramThatDoesNothingIsCalledAgain() {
    Program program = builder.build();
    for (Model model : Model.values()) {
      SoftNicOptions options = SoftNicOptions.DEFAULT.withFencedEnables(model == Model.ASSUMED);
      Plan plan = Compiler.compile(program, Target.CHECKED, model, Calls.MANY);
      try (Host host = new Host(plan, options)) {
        for (int call = 0; call < 5; call++) {
          assertThat(host.call(Map.of(addend, new byte[Long.BYTES]))).isEmpty();
        }
      }
    }
  }

  @Test
  void aPointerThatLeavesItsTableEndsTheCallThatHasIt() {
    Input<Kind.Pointer> pointer = builder.pointer("pointer");
    Data table = builder.data("table", 16).put(8, (byte) 5);
    builder.respond(table, pointer, Long.BYTES);
    Program program = builder.build();
    Plan plan = Compiler.compile(program, Target.CHECKED, Model.CONSERVATIVE, Calls.MANY);
    try (Host host = new Host(plan, SoftNicOptions.DEFAULT)) {
      long address = Objects.requireNonNull(host.addresses(program).get(table));
      for (int call = 0; call < 3; call++) {
        assertThat(host.call(pointer(pointer, address + 8)))
            .containsExactly(Literal.number(5).content());
      }
      assertThatIllegalStateException()
          .isThrownBy(() -> host.call(pointer(pointer, address + 9)))
          .withMessageContaining("LOCAL_PROTECTION_ERROR");
    }
  }

  private Map<Input<?>, byte[]> pointer(Input<Kind.Pointer> pointer, long address) {
    byte[] content = ByteBuffer.allocate(Long.BYTES).putLong(address).array();
    return Map.of(addend, new byte[Long.BYTES], pointer, content);
  }

  @ParameterizedTest
  @Tag("slow")
  @ValueSource(
      strings = {
        "calls",
        "calls on a condition",
        "loop",
        "loop that is left from either branch",
        "loop in a branch"
      })
  void programsWithMoreQueuesAreProvedForOneCall(String name) {
    areProved(name, Calls.ONE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "calls",
        "calls on a condition",
        "loop",
        "loop that is left from either branch",
        "loop in a branch"
      })
  @Tag("slow")
  void programsWithMoreQueuesAreProvedForAllCalls(String name) {
    areProved(name, Calls.MANY);
  }

  @Test
  void aProgramThatEndsWithoutABarrierIsProvedForAllCalls() {
    areProved("load behind which nothing waits", Calls.MANY);
  }

  private static void areProved(String name, Calls calls) {
    Offload offload = construct(name);
    for (Target target : Target.values()) {
      for (Model model : Model.values()) {
        if (calls == Calls.MANY && !Subject.isTried(target, model)) {
          continue;
        }
        Plan plan = Compiler.compile(offload.example(1).program(), target, model, calls);
        ProgramImage image = ImageBuilder.build(plan, Placement.example(plan));
        Rules rules = new Rules(model == Model.ASSUMED, target == Target.CHECKED);
        assertThat(Subject.isProved(image, rules))
            .as("%s, %s, %s, %s%n%s", name, target, model, calls, Assembly.of(plan))
            .isTrue();
      }
    }
  }

  private static Offload construct(String name) {
    return Constructs.all().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  // Examined lap by lap, its unbounded loop has more and more paths.
  @Test
  @Tag("slow")
  void aProofThatIsTooLongEndsAndSaysWhatItFoundBefore() {
    Program program = construct("loop that is left in its middle").example(1).program();
    Plan plan = Compiler.compile(program, Target.UNCHECKED, Model.ASSUMED, Calls.MANY);
    ProgramImage image = ImageBuilder.build(plan, Placement.example(plan));
    Mutation mutation =
        Mutations.of(image).stream()
            .filter(each -> each.what().equals("fence of WQE 19 of queue 0x43 (loop), a SEND_EN"))
            .findFirst()
            .orElseThrow();
    ProgramImage mutant = mutation.of(image);
    Verdict verdict =
        Verifier.verify(mutant, new Rules(true, false), Subject.data(mutant), Integer.MAX_VALUE);
    assertThat(verdict.refusals())
        .anyMatch(each -> each.endsWith("the rest is not proved"))
        .anyMatch(each -> each.contains("may be fetched before"));
  }

  @Test
  void aProgramContinuesWithoutPollsOfItsCompletions() {
    builder.add(sum, addend);
    builder.respond(sum);
    Plan plan = Compiler.compile(builder.build(), Target.CHECKED, Model.CONSERVATIVE, Calls.MANY);
    try (Device device = Device.over(VirtualTime.open(SoftNicOptions.DEFAULT));
        ProtectionDomain domain = device.allocateProtectionDomain();
        Trial trial = new Trial(device, domain, plan)) {
      for (int call = 1; call <= 40; call++) {
        trial.send(Map.of(addend, Literal.number(1).content()));
        Trial.rest(device);
        assertThat(trial.client().take()).containsExactly(Literal.number(call).content());
      }
    }
  }
}
