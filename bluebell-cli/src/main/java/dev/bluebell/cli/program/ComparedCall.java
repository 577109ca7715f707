package dev.bluebell.cli.program;

import dev.bluebell.program.Data;
import dev.bluebell.program.Interpreter;
import dev.bluebell.program.install.Trial;
import dev.bluebell.program.offload.Example;
import dev.bluebell.program.plan.Plan;
import java.util.ArrayList;
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
    this.plan = option.compileForMany(example.program());
  }

  /** Makes calls at the same time, each from its own client to its own installation. */
  static void run(Bench bench, List<ComparedCall> calls) {
    List<Trial> trials = new ArrayList<>();
    for (int client = 0; client < calls.size(); client++) {
      ComparedCall call = calls.get(client);
      Trial trial = bench.at(client, call.plan);
      trial.installation().fill(call.example.program());
      trials.add(trial);
    }
    for (int client = 0; client < calls.size(); client++) {
      calls.get(client).send(trials.get(client));
    }
    Trial.rest(bench.device());
    for (int client = 0; client < calls.size(); client++) {
      ComparedCall call = calls.get(client);
      call.compare(trials.get(client));
      bench.called(client, call.complaint == null);
    }
  }

  private void send(Trial trial) {
    trial.send(plan, example.inputs().apply(trial.addresses(example.program())));
  }

  private void compare(Trial trial) {
    Map<Data, Long> addresses = trial.addresses(example.program());
    Interpreter interpreter = new Interpreter(example.program(), addresses);
    List<byte[]> expected = interpreter.call(example.inputs().apply(addresses));
    try {
      compare(trial, trial.answers(), interpreter, expected);
    } catch (IllegalStateException failure) {
      complaint = failure.getMessage();
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

  /** The difference from the interpreter; null if there is none. */
  @Nullable String complaint() {
    return complaint;
  }

  /** Number of answers that arrived. */
  int answers() {
    return answers;
  }

  /** WQEs of the program, each of which a call executes once. */
  int wqes() {
    return plan.queues().values().stream().mapToInt(List::size).sum();
  }
}
