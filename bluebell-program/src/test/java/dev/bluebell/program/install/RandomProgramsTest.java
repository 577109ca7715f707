package dev.bluebell.program.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.program.Buffer;
import dev.bluebell.program.Data;
import dev.bluebell.program.Input;
import dev.bluebell.program.Interpreter;
import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.install.RandomProgram.Part;
import dev.bluebell.program.plan.Assembly;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.softnic.option.SoftNicOptions;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random programs have the same results on the device as in the interpreter. */
class RandomProgramsTest {
  private static final int PROGRAMS = Integer.getInteger("bluebell.programs", 25);
  private static final int REPEATED = Integer.getInteger("bluebell.programs.calls", 3);
  private static final long SEED = Long.getLong("bluebell.programs.seed", 1);

  @Test
  void programsDoWhatTheInterpreterSays() {
    everyTargetAndModel(false, Calls.ONE, false);
  }

  @Test
  void programsDoWhatTheInterpreterSaysInEveryOrder() {
    everyTargetAndModel(false, Calls.ONE, true);
  }

  @Test
  void loopsWithBreaksDoWhatTheInterpreterSays() {
    everyTargetAndModel(true, Calls.ONE, false);
  }

  @Test
  void loopsWithBreaksDoWhatTheInterpreterSaysInEveryOrder() {
    everyTargetAndModel(true, Calls.ONE, true);
  }

  @Test
  void programsForManyCallsDoWhatTheInterpreterSays() {
    everyTargetAndModel(true, Calls.MANY, false);
  }

  @Test
  void programsForManyCallsDoWhatTheInterpreterSaysInEveryOrder() {
    everyTargetAndModel(true, Calls.MANY, true);
  }

  @Test
  @Tag("slow")
  void unboundedLoopsDoWhatTheInterpreterSays() {
    plainAndInSomeOrder(PROGRAMS / 4, Calls.ONE, Part.BREAKS, Part.LOOP);
    plainAndInSomeOrder(PROGRAMS / 12, Calls.ONE, Part.LOOPS);
  }

  @Test
  @Tag("slow")
  void unboundedLoopsForManyCallsDoWhatTheInterpreterSays() {
    plainAndInSomeOrder(PROGRAMS / 12, Calls.MANY, Part.BREAKS, Part.LOOP, Part.AGAIN);
    plainAndInSomeOrder(PROGRAMS / 25, Calls.MANY, Part.LOOPS, Part.AGAIN);
  }

  @Test
  void programsThatAnswerByWritesDoWhatTheInterpreterSays() {
    plainAndInSomeOrder(PROGRAMS / 12, Calls.ONE, Part.BREAKS, Part.WRITES);
    plainAndInSomeOrder(PROGRAMS / 12, Calls.MANY, Part.BREAKS, Part.WRITES);
  }

  @Test
  @Tag("slow")
  void programsWithSubprogramsDoWhatTheInterpreterSays() {
    plainAndInSomeOrder(PROGRAMS / 12, Calls.ONE, Part.CALLS);
    plainAndInSomeOrder(PROGRAMS / 12, Calls.ONE, Part.BREAKS, Part.CALLS, Part.LOOP);
    plainAndInSomeOrder(PROGRAMS / 12, Calls.MANY, Part.CALLS);
  }

  @Test
  void requestsIncompleteAtAnEnableAreAwaitedBeforeTheWqesTheyArmAreFetched() {
    long seed = 1011;
    for (Model model : Model.values()) {
      SoftNicOptions options =
          SoftNicOptions.DEFAULT.withFencedEnables(model == Model.ASSUMED).withAdversary(seed);
      agree(seed, true, Calls.ONE, Target.CHECKED, model, options);
    }
  }

  private static void plainAndInSomeOrder(int programs, Calls calls, Part... parts) {
    for (long seed = SEED; seed < SEED + programs; seed++) {
      for (Target target : Target.values()) {
        for (Model model : Model.values()) {
          SoftNicOptions options =
              SoftNicOptions.DEFAULT
                  .withWqeChecks(target == Target.CHECKED)
                  .withFencedEnables(model == Model.ASSUMED);
          RandomProgram source = new RandomProgram(new Random(seed), parts);
          Plan plan = Compiler.compile(source.program(), target, model, calls);
          agree(seed, source, plan, calls, options);
          agree(seed, source, plan, calls, options.withAdversary(seed));
        }
      }
    }
  }

  private static void everyTargetAndModel(boolean breaks, Calls calls, boolean adversary) {
    int programs = calls == Calls.MANY ? PROGRAMS / 5 : breaks ? PROGRAMS / 2 : PROGRAMS;
    for (long seed = SEED; seed < SEED + programs; seed++) {
      for (Target target : Target.values()) {
        for (Model model : Model.values()) {
          SoftNicOptions options =
              SoftNicOptions.DEFAULT
                  .withWqeChecks(target == Target.CHECKED)
                  .withFencedEnables(model == Model.ASSUMED);
          agree(
              seed,
              breaks,
              calls,
              target,
              model,
              adversary ? options.withAdversary(seed) : options);
        }
      }
    }
  }

  private static void agree(
      long seed, boolean breaks, Calls calls, Target target, Model model, SoftNicOptions options) {
    Random random = new Random(seed);
    RandomProgram source =
        breaks ? new RandomProgram(random, Part.BREAKS) : new RandomProgram(random);
    agree(seed, source, Compiler.compile(source.program(), target, model, calls), calls, options);
  }

  private static void agree(
      long seed, RandomProgram source, Plan plan, Calls calls, SoftNicOptions options) {
    String what =
        "bluebell.programs.seed=%d, %s%n%s".formatted(seed, options.machine(), Assembly.of(plan));
    try (Host host = new Host(plan, options)) {
      Map<Data, Long> addresses = host.addresses(source.program());
      Interpreter interpreter = new Interpreter(source.program(), addresses);
      for (int call = 0; call < (calls == Calls.ONE ? 1 : REPEATED); call++) {
        agree(source, host, interpreter, "call %d, %s".formatted(call, what));
      }
    }
  }

  private static void agree(RandomProgram source, Host host, Interpreter interpreter, String what) {
    Data table = source.program().data().getFirst();
    Map<Input<?>, byte[]> inputs = source.inputs(interpreter.address(table));
    List<byte[]> expected = interpreter.call(inputs);
    List<byte[]> responses;
    try {
      responses = host.call(inputs);
    } catch (AssertionError | IllegalStateException failure) {
      throw new AssertionError(what, failure);
    }
    assertThat(responses).as(what).usingRecursiveComparison().isEqualTo(expected);
    for (Data data : source.program().data()) {
      assertThat(host.read(data))
          .as("%s of %s", data, what)
          .isEqualTo(interpreter.read(data.bytes(0, data.bytes())));
    }
    for (Buffer buffer : source.program().buffers()) {
      assertThat(host.read(buffer))
          .as("%s of %s", buffer, what)
          .isEqualTo(interpreter.read(buffer));
    }
  }
}
