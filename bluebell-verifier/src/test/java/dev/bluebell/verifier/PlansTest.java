package dev.bluebell.verifier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.program.Data;
import dev.bluebell.program.Input;
import dev.bluebell.program.Interpreter;
import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.ImageBuilder;
import dev.bluebell.program.plan.MessagePart;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Placement;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.verifier.Mutations.Mutation;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Plans of the compiler, verified by their bytes alone. */
class PlansTest {
  private static final int SEEDS = 60;

  private record Case(
      String sample, String name, ProgramImage image, Rules rules, List<Call> calls) {}

  private record Call(Message message, List<String> answers) {}

  private static List<Case> cases() {
    return cases(Calls.ONE);
  }

  private static List<Case> cases(Calls number) {
    List<Case> cases = new ArrayList<>();
    for (Sample sample : Sample.all()) {
      for (Target target : Target.values()) {
        for (Model model : Model.values()) {
          Rules rules = new Rules(model == Model.ASSUMED, target == Target.CHECKED);
          Plan plan = Compiler.compile(sample.program(), target, model, number);
          Placement placement = Placement.example(plan);
          ProgramImage image = ImageBuilder.build(plan, placement);
          Map<Data, Long> addresses =
              Sample.addresses(
                  sample.program(),
                  name ->
                      plan.areas().stream()
                          .filter(area -> area.name().equals(name))
                          .map(area -> placement.data(area).address())
                          .findFirst()
                          .orElseThrow());
          // Memory persists between calls, if there are many.
          Interpreter lasting = new Interpreter(sample.program(), addresses);
          List<Call> calls =
              sample.calls().stream()
                  .map(
                      call -> {
                        Interpreter fresh = new Interpreter(sample.program(), addresses);
                        Interpreter interpreter = number == Calls.ONE ? fresh : lasting;
                        return call(interpreter, plan, image, call.apply(addresses));
                      })
                  .toList();
          String name = "%s %s %s".formatted(sample.program().name(), target, model);
          cases.add(new Case(sample.program().name(), name, image, rules, calls));
        }
      }
    }
    return cases;
  }

  private static Call call(
      Interpreter interpreter, Plan plan, ProgramImage image, Map<Input<?>, byte[]> inputs) {
    List<byte[]> answers = interpreter.call(inputs);
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    for (MessagePart part : plan.message()) {
      message.writeBytes(part.encode(inputs.get(part.input())));
    }
    return new Call(
        new Message(image.entryPoints().getFirst().qpn(), message.toByteArray()),
        answers.stream().map(HexFormat.of()::formatHex).toList());
  }

  @Test
  void everyPlanIsProved() {
    for (Case each : cases()) {
      assertThat(Verifier.verify(each.image, each.rules).refusals()).as(each.name).isEmpty();
    }
  }

  @Test
  @Tag("slow")
  void everyPlanAnswersLikeTheInterpreterForAnyChoiceOfTheMachine() {
    for (Case each : cases()) {
      for (Call call : each.calls) {
        for (int seed = 0; seed < SEEDS; seed++) {
          Outcome outcome =
              AbstractMachine.run(each.image, each.rules, List.of(call.message), seed);
          assertThat(outcome.error()).as("%s, seed %d", each.name, seed).isNull();
          assertThat(answers(outcome)).as("%s, seed %d", each.name, seed).isEqualTo(call.answers);
        }
      }
    }
  }

  @Test
  void plansForManyCallsAnswerAllOfThemWhateverTheMachineChooses() {
    for (Case each : cases(Calls.MANY)) {
      List<Message> messages = each.calls.stream().map(Call::message).toList();
      List<String> expected = each.calls.stream().flatMap(call -> call.answers.stream()).toList();
      for (int seed = 0; seed < SEEDS / 15; seed++) {
        Outcome outcome = AbstractMachine.run(each.image, each.rules, messages, seed);
        assertThat(outcome.error()).as("%s, seed %d", each.name, seed).isNull();
        assertThat(answers(outcome)).as("%s, seed %d", each.name, seed).isEqualTo(expected);
      }
    }
  }

  @Test
  @Tag("slow")
  void everyPlanForManyCallsIsProvedForAllOfThem() {
    for (Case each : cases(Calls.MANY)) {
      assertThat(Verifier.verify(each.image, each.rules).refusals()).as(each.name).isEmpty();
    }
  }

  private static List<String> answers(Outcome outcome) {
    return outcome.messages().stream()
        .map(message -> message.substring(message.indexOf(": ") + 2).strip())
        .toList();
  }

  @Test
  @Tag("slow")
  void plansWithoutABarrierAnswerRightIfProvedAndFailSomewhereIfRefused() {
    for (Case each : cases()) {
      for (Mutation mutation : Mutations.of(each.image)) {
        assertThat(Verifier.verify(mutation.of(each.image), each.rules).isProved())
            .as("%s without %s", each.name, mutation.what())
            .isEqualTo(!fails(each, mutation.of(each.image)));
      }
    }
  }

  /** True when some choice changes the answer to some call. */
  private static boolean fails(Case each, ProgramImage mutation) {
    for (Call call : each.calls) {
      for (int seed = 0; seed < SEEDS; seed++) {
        Outcome outcome = AbstractMachine.run(mutation, each.rules, List.of(call.message), seed);
        if (outcome.error() != null || !answers(outcome).equals(call.answers)) {
          return true;
        }
      }
    }
    return false;
  }
}
