package dev.bluebell.program.install;

import dev.bluebell.program.Data;
import dev.bluebell.program.Input;
import dev.bluebell.program.Interpreter;
import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.offload.Example;
import dev.bluebell.program.plan.ImageBuilder;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.softnic.EngineMode;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.SoftNicOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** A device that draws all that the order of requests leaves open, and calls compared on it. */
final class Rehearsal implements AutoCloseable {
  private final Target target;
  private final Model model;
  private final Device device;
  private final ProtectionDomain domain;

  Rehearsal(Target target, Model model, long adversary) {
    this.target = target;
    this.model = model;
    SoftNicOptions options =
        SoftNicOptions.DEFAULT
            .withEngine(EngineMode.POLL)
            .withWqeChecks(target == Target.CHECKED)
            .withFencedEnables(model == Model.ASSUMED)
            .withAdversary(adversary);
    device = Device.over(SoftNic.open(options));
    domain = device.allocateProtectionDomain();
  }

  /**
   * What is wrong with a call; empty when nothing is.
   *
   * @param change of the bytes that are installed
   */
  String complaint(Example example, UnaryOperator<ProgramImage> change) {
    Plan plan = Compiler.compile(example.program(), target, model);
    try (Trial trial =
        new Trial(device, domain, plan, at -> change.apply(ImageBuilder.build(plan, at)))) {
      Map<Data, Long> addresses = trial.addresses(example.program());
      Map<Input<?>, byte[]> inputs = example.inputs().apply(addresses);
      Interpreter interpreter = new Interpreter(example.program(), addresses);
      List<byte[]> expected = interpreter.call(inputs);
      Trial.rest(device);
      List<byte[]> answers = trial.call(inputs);
      if (!Arrays.deepEquals(answers.toArray(), expected.toArray())) {
        return "%d answers, which are not the %d that are right"
            .formatted(answers.size(), expected.size());
      }
      for (Data data : example.program().data()) {
        if (!Arrays.equals(trial.read(data), interpreter.read(data.bytes(0, data.bytes())))) {
          return "%s is not as it should be".formatted(data);
        }
      }
      return changedTooLate() ? "a request was changed after it was fetched" : "";
    } catch (IllegalStateException failure) {
      return String.valueOf(failure.getMessage());
    }
  }

  private boolean changedTooLate() {
    return device.diagnosis().orElseThrow().explanations().stream()
        .anyMatch(line -> line.contains("was changed after it was fetched"));
  }

  @Override
  public void close() {
    domain.close();
    device.close();
  }
}
