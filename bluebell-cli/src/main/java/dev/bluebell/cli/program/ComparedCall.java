package dev.bluebell.cli.program;

import dev.bluebell.program.Data;
import dev.bluebell.program.Input;
import dev.bluebell.program.Interpreter;
import dev.bluebell.program.install.Trial;
import dev.bluebell.program.offload.Example;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A call of an installed program, compared with the interpreter. */
final class ComparedCall {
  private final Example example;
  private final Plan plan;
  private @Nullable String complaint;
  private int answers;

  ComparedCall(Example example, PlanOption option) {
    this.example = example;
    this.plan = option.compile(example.program());
  }

  void run(Device device, ProtectionDomain domain) {
    try (Trial trial = new Trial(device, domain, plan)) {
      Map<Data, Long> addresses = trial.addresses(example.program());
      Map<Input<?>, byte[]> inputs = example.inputs().apply(addresses);
      Interpreter interpreter = new Interpreter(example.program(), addresses);
      List<byte[]> expected = interpreter.call(inputs);
      try {
        compare(trial, trial.call(inputs), interpreter, expected);
      } catch (IllegalStateException failure) {
        complaint = failure.getMessage();
      }
    }
  }

  private void compare(
      Trial trial, List<byte[]> found, Interpreter interpreter, List<byte[]> expected) {
    answers = found.size();
    if (!text(found).equals(text(expected))) {
      complaint = "answered %s, not %s".formatted(text(found), text(expected));
      return;
    }
    for (Data data : example.program().data()) {
      byte[] left = trial.read(data);
      byte[] right = interpreter.read(data.bytes(0, data.bytes()));
      if (!Arrays.equals(left, right)) {
        complaint =
            "left %s in %s, not %s"
                .formatted(HexFormat.of().formatHex(left), data, HexFormat.of().formatHex(right));
        return;
      }
    }
  }

  private static String text(List<byte[]> answers) {
    return answers.isEmpty()
        ? "nothing"
        : answers.stream().map(HexFormat.of()::formatHex).collect(Collectors.joining(", "));
  }

  /** What was wrong; null when nothing was. */
  @Nullable String complaint() {
    return complaint;
  }

  /** Answers that came. */
  int answers() {
    return answers;
  }

  /** WQEs of the program, each of which is executed once. */
  int wqes() {
    return plan.queues().values().stream().mapToInt(List::size).sum();
  }
}
