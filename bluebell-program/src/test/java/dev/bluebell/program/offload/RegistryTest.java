package dev.bluebell.program.offload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.program.Data;
import dev.bluebell.program.Input;
import dev.bluebell.program.Interpreter;
import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.install.Trial;
import dev.bluebell.program.plan.Assembly;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.softnic.VirtualTime;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each service of the registry gives the same answers as plain Java, on every device that it is
 * compiled for.
 */
class RegistryTest {
  private static final int EXAMPLES = Integer.getInteger("bluebell.offloads.examples", 3);
  private static final int ADVERSARIES = Integer.getInteger("bluebell.offloads.adversaries", 2);

  static List<Offload> all() {
    return Offloads.all();
  }

  @ParameterizedTest
  @MethodSource("all")
  void theInterpreterAnswersLikePlainJava(Offload offload) {
    for (int seed = 0; seed < 100; seed++) {
      Example example = offload.example(seed);
      Interpreter interpreter = new Interpreter(example.program());
      Map<Data, Long> addresses = new HashMap<>();
      example.program().data().forEach(data -> addresses.put(data, interpreter.address(data)));
      assertThat(interpreter.call(example.inputs().apply(addresses)))
          .as("%s, seed %d", offload.name(), seed)
          .usingRecursiveComparison()
          .isEqualTo(example.answers().apply(addresses));
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void eachServiceAnswersRightOnADevice(Offload offload) {
    for (Target target : Target.values()) {
      for (Model model : Model.values()) {
        SoftNicOptions options =
            SoftNicOptions.DEFAULT
                .withWqeChecks(target == Target.CHECKED)
                .withFencedEnables(model == Model.ASSUMED);
        run(offload, target, model, options, "plain");
        for (long seed = 1; seed <= ADVERSARIES; seed++) {
          run(offload, target, model, options.withAdversary(seed), "adversary " + seed);
        }
      }
    }
  }

  private static void run(
      Offload offload, Target target, Model model, SoftNicOptions options, String where) {
    try (Device device = Device.over(VirtualTime.open(options));
        ProtectionDomain domain = device.allocateProtectionDomain()) {
      for (int seed = 0; seed < EXAMPLES; seed++) {
        Example example = offload.example(seed);
        Plan plan = Compiler.compile(example.program(), target, model);
        String what =
            "%s, %s, %s, %s, seed %d%n%s"
                .formatted(offload.name(), target, model, where, seed, Assembly.of(plan));
        try (Trial trial = new Trial(device, domain, plan)) {
          agree(example, trial, what);
        }
      }
    }
  }

  private static void agree(Example example, Trial trial, String what) {
    Map<Data, Long> addresses = trial.addresses(example.program());
    Map<Input<?>, byte[]> inputs = example.inputs().apply(addresses);
    List<byte[]> answers;
    try {
      answers = trial.call(inputs);
    } catch (IllegalStateException failure) {
      throw new AssertionError(what, failure);
    }
    assertThat(answers)
        .as(what)
        .usingRecursiveComparison()
        .isEqualTo(example.answers().apply(addresses));
    Interpreter interpreter = new Interpreter(example.program(), addresses);
    interpreter.call(inputs);
    for (Data data : example.program().data()) {
      assertThat(trial.read(data))
          .as("%s of %s", data, what)
          .isEqualTo(interpreter.read(data.bytes(0, data.bytes())));
    }
  }
}
