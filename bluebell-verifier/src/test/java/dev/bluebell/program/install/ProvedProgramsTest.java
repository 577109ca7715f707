package dev.bluebell.program.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.program.Data;
import dev.bluebell.program.Input;
import dev.bluebell.program.Interpreter;
import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.plan.ImageBuilder;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Placement;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verifier.AbstractMachine;
import dev.bluebell.verifier.Message;
import dev.bluebell.verifier.Outcome;
import dev.bluebell.verifier.Rules;
import dev.bluebell.verifier.Verifier;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A proved program gives the right answers in any order of the abstract machine and the device. */
class ProvedProgramsTest {
  private static final int PROGRAMS = 12;
  private static final int ORDERS = 10;

  @Test
  @Tag("slow")
  void randomProgramsAnswerInEveryOrderWhatTheInterpreterSays() {
    int proved = 0;
    for (long seed = 1; seed <= PROGRAMS; seed++) {
      for (Target target : Target.values()) {
        for (Model model : Model.values()) {
          proved += answers(seed, target, model) ? 1 : 0;
        }
      }
    }
    assertThat(proved).isGreaterThan(PROGRAMS);
  }

  /** Checks one program; returns whether it was proved. */
  private static boolean answers(long seed, Target target, Model model) {
    String what = "program %d, %s, %s".formatted(seed, target, model);
    RandomProgram source = new RandomProgram(new Random(seed));
    Plan plan = Compiler.compile(source.program(), target, model);
    Placement placement = Placement.example(plan);
    ProgramImage image = ImageBuilder.build(plan, placement);
    Rules rules = new Rules(model == Model.ASSUMED, target == Target.CHECKED);
    if (!Verifier.verify(image, rules).isProved()) {
      return false;
    }
    Map<Data, Long> places = new LinkedHashMap<>();
    for (Data data : source.program().data()) {
      places.put(data, placement.data(plan.area(data.name())).address());
    }
    Map<Input<?>, byte[]> inputs = source.inputs(places.get(source.program().data().getFirst()));
    Message message = new Message(image.entryPoints().getFirst().qpn(), plan.encode(inputs));
    List<String> expected = hex(new Interpreter(source.program(), places).call(inputs));
    for (int order = 0; order < ORDERS; order++) {
      Outcome outcome = AbstractMachine.run(image, rules, List.of(message), order);
      assertThat(outcome.error()).as("%s, order %d", what, order).isNull();
      assertThat(outcome.messages().stream().map(each -> each.split(": ")[1].strip()).toList())
          .as("%s, order %d", what, order)
          .isEqualTo(expected);
    }
    for (long adversary = 1; adversary <= 3; adversary++) {
      SoftNicOptions options =
          SoftNicOptions.DEFAULT
              .withAdversary(adversary)
              .withWqeChecks(rules.checks())
              .withFencedEnables(rules.fencedEnables());
      try (Host host = new Host(plan, options)) {
        Map<Data, Long> real = host.addresses(source.program());
        Map<Input<?>, byte[]> arguments =
            source.inputs(real.get(source.program().data().getFirst()));
        assertThat(hex(host.call(arguments)))
            .as("%s, adversary %d", what, adversary)
            .isEqualTo(hex(new Interpreter(source.program(), real).call(arguments)));
      }
    }
    return true;
  }

  private static List<String> hex(List<byte[]> answers) {
    return answers.stream().map(HexFormat.of()::formatHex).toList();
  }
}
