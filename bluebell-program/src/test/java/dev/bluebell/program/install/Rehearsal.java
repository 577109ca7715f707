package dev.bluebell.program.install;

import dev.bluebell.program.Buffer;
import dev.bluebell.program.Data;
import dev.bluebell.program.Input;
import dev.bluebell.program.Interpreter;
import dev.bluebell.program.Program;
import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.offload.Example;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.ImageBuilder;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.softnic.EngineMode;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.SoftNicOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
    return complaint(Calls.ONE, List.of(example), change);
  }

  /**
   * What is wrong with some calls of one program, that of the first example; empty when nothing is.
   *
   * @param examples of one offload, each of which is a call
   * @param change of the bytes that are installed
   */
  String complaint(Calls calls, List<Example> examples, UnaryOperator<ProgramImage> change) {
    Program program = examples.getFirst().program();
    Plan plan = Compiler.compile(program, target, model, calls);
    try (Trial trial =
        new Trial(device, domain, plan, at -> change.apply(ImageBuilder.build(plan, at)))) {
      Map<Data, Long> addresses = trial.addresses(program);
      Interpreter interpreter = new Interpreter(program, addresses);
      Trial.rest(device);
      for (Example example : examples) {
        String wrong = complaint(trial, interpreter, program, inputs(example, program, addresses));
        if (!wrong.isEmpty()) {
          return wrong;
        }
      }
      return changedTooLate() ? "a request was changed after it was fetched" : "";
    } catch (IllegalStateException failure) {
      return String.valueOf(failure.getMessage());
    }
  }

  private String complaint(
      Trial trial, Interpreter interpreter, Program program, Map<Input<?>, byte[]> inputs) {
    List<byte[]> expected = interpreter.call(inputs);
    List<byte[]> answers = trial.call(inputs);
    if (!Arrays.deepEquals(answers.toArray(), expected.toArray())) {
      return "%d answers, which are not the %d that are right"
          .formatted(answers.size(), expected.size());
    }
    for (Data data : program.data()) {
      if (!Arrays.equals(trial.read(data), interpreter.read(data.bytes(0, data.bytes())))) {
        return "%s is not as it should be".formatted(data);
      }
    }
    for (Buffer buffer : program.buffers()) {
      if (!Arrays.equals(trial.read(buffer), interpreter.read(buffer))) {
        return "%s of the client is not as it should be".formatted(buffer);
      }
    }
    return "";
  }

  /** What an example sends, as inputs of another example's program. */
  static Map<Input<?>, byte[]> inputs(Example example, Program program, Map<Data, Long> addresses) {
    Map<String, Long> here = new HashMap<>();
    addresses.forEach((data, address) -> here.put(data.name(), address));
    Map<Data, Long> places = new HashMap<>();
    for (Data data : example.program().data()) {
      places.put(data, here.getOrDefault(data.name(), 0L));
    }
    Map<String, byte[]> sent = new HashMap<>();
    example.inputs().apply(places).forEach((input, bytes) -> sent.put(input.name(), bytes));
    Map<Input<?>, byte[]> inputs = new HashMap<>();
    for (Input<?> input : program.inputs()) {
      inputs.put(input, Objects.requireNonNull(sent.get(input.name())));
    }
    return inputs;
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
