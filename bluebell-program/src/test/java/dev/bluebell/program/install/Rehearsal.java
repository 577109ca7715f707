package dev.bluebell.program.install;

import dev.bluebell.program.Buffer;
import dev.bluebell.program.Data;
import dev.bluebell.program.Input;
import dev.bluebell.program.Interpreter;
import dev.bluebell.program.Program;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.offload.Example;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.ImageBuilder;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.softnic.option.EngineMode;
import dev.bluebell.softnic.option.ManualClock;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/**
 * A device that draws all that the order of requests leaves open, and calls compared on it. Its
 * clock counts turns, so that a client that was told to try again does so after a number of them
 * that is drawn, too.
 */
final class Rehearsal implements AutoCloseable {
  private static final int IDLE_TURNS = 32;
  private static final int MAX_TURNS = 100_000;

  /** What a client waits at least that found no receive entry, and how often it may. */
  private static final long RETRY_NANOS = 1_000_000;

  private static final int MAX_RETRIES = 20;

  /** A turn takes at most so long; and turns that a client that hurries lets pass at most. */
  private static final int MAX_TURN_NANOS = 1 << 16;

  private static final int MAX_DELAY = 64;

  /** One client of so many has room for one answer, so that others are sent again. */
  private static final int CLIENTS = 8;

  /** Turns after which it has room again, on an average; at most. */
  private static final int LOG_MAX_ROOM_TURNS = 8;

  /** True when a client sends its next message as soon as it has an answer. */
  private final boolean hurries;

  /** Answers that a client can hold. */
  private final int room;

  private final ManualClock clock = new ManualClock();
  private final Random random;
  private final int turnNanos;
  private final int roomTurns;
  private final Device device;
  private final ProtectionDomain domain;

  Rehearsal(Target target, Model model, long adversary) {
    this(
        target,
        model,
        adversary % 2 == 0,
        adversary % CLIENTS == 2 ? 1 : Client.MAX_ANSWERS,
        new Random(adversary),
        options -> options.withAdversary(adversary));
  }

  private Rehearsal(
      Target target,
      Model model,
      boolean hurries,
      int room,
      Random random,
      UnaryOperator<SoftNicOptions> order) {
    this.hurries = hurries;
    this.room = room;
    this.random = random;
    turnNanos = hurries ? 1 + random.nextInt(1 + random.nextInt(MAX_TURN_NANOS)) : 0;
    roomTurns = room < Client.MAX_ANSWERS ? 1 << random.nextInt(LOG_MAX_ROOM_TURNS + 1) : 1;
    SoftNicOptions options =
        SoftNicOptions.DEFAULT
            .withEngine(EngineMode.POLL)
            .withClock(clock)
            .withWqeChecks(target == Target.CHECKED)
            .withFencedEnables(model == Model.ASSUMED);
    device = Device.over(SoftNic.open(order.apply(options)));
    domain = device.allocateProtectionDomain();
  }

  /** One that draws nothing, and whose client hurries. */
  static Rehearsal plain(Target target, Model model) {
    return new Rehearsal(
        target, model, true, Client.MAX_ANSWERS, new Random(1), UnaryOperator.identity());
  }

  /**
   * What is wrong with some calls; empty when nothing is.
   *
   * @param change of the bytes that are installed
   */
  String complaint(CompiledCalls calls, UnaryOperator<ProgramImage> change) {
    try {
      String wrong =
          calls.plan().calls() == Calls.REARMED
              ? rearmedComplaint(calls, change)
              : callsComplaint(calls, change);
      return wrong.isEmpty() && changedTooLate()
          ? "a request was changed after it was fetched"
          : wrong;
    } catch (IllegalStateException failure) {
      return String.valueOf(failure.getMessage());
    }
  }

  private String callsComplaint(CompiledCalls calls, UnaryOperator<ProgramImage> change) {
    Program program = calls.program();
    Plan plan = calls.plan();
    try (Trial trial =
        new Trial(device, domain, plan, at -> change.apply(ImageBuilder.build(plan, at)), room)) {
      Map<Data, Long> addresses = trial.addresses(program);
      Interpreter interpreter = new Interpreter(program, addresses);
      List<byte[]> expected = new ArrayList<>();
      List<byte[]> answers = new ArrayList<>();
      rest(trial, answers);
      if (!answers.isEmpty()) {
        return "the program answered before it was called";
      }
      for (Example example : calls.examples()) {
        Map<Input<?>, byte[]> inputs = inputs(example, program, addresses);
        int before = expected.size();
        expected.addAll(interpreter.call(inputs));
        trial.send(inputs);
        if (hurries && expected.size() > before) {
          progress(trial, answers, () -> answers.size() > before);
          for (int turns = random.nextInt(MAX_DELAY); turns > 0; turns--) {
            turn();
          }
        } else {
          rest(trial, answers);
          String wrong = complaint(expected, answers) + complaint(trial, interpreter, program);
          if (!wrong.isEmpty()) {
            return wrong;
          }
        }
      }
      rest(trial, answers);
      return complaint(expected, answers) + complaint(trial, interpreter, program);
    }
  }

  /** Lets the device work for a turn. True when it had something to do. */
  private boolean turn() {
    clock.advance(turnNanos);
    return device.progress() > 0;
  }

  private void rest(Trial trial, List<byte[]> answers) {
    progress(trial, answers, () -> false);
  }

  /** Lets the device work until it rests, or there is enough. */
  private void progress(Trial trial, List<byte[]> answers, BooleanSupplier isEnough) {
    int idle = 0;
    int retries = 0;
    for (int turn = 0; idle < IDLE_TURNS && !isEnough.getAsBoolean(); turn++) {
      if (turn == MAX_TURNS) {
        throw new IllegalStateException("the device has come to no rest");
      }
      idle = turn() ? 0 : idle + 1;
      if (idle % IDLE_TURNS == 0) {
        answers.addAll(trial.answers());
      }
      if (room < Client.MAX_ANSWERS && (idle > 0 || random.nextInt(roomTurns) == 0)) {
        trial.client().makeRoom();
      }
      if (idle == IDLE_TURNS
          && (trial.client().untaken() > 0 || room < Client.MAX_ANSWERS)
          && retries++ < MAX_RETRIES) {
        clock.advance(RETRY_NANOS);
        idle = 0;
      }
    }
  }

  private static String complaint(List<byte[]> expected, List<byte[]> answers) {
    return Arrays.deepEquals(answers.toArray(), expected.toArray())
        ? ""
        : "%d answers, which are not the %d that are right"
            .formatted(answers.size(), expected.size());
  }

  private static String complaint(Trial trial, Interpreter interpreter, Program program) {
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

  /** A client that makes the program ready itself hears of the end of each call. */
  private String rearmedComplaint(CompiledCalls calls, UnaryOperator<ProgramImage> change) {
    Program program = calls.program();
    List<Example> examples = calls.examples();
    try (Rearmed rearmed =
        new Rearmed(device, domain, program, calls.plan(), examples.size(), change)) {
      for (Example example : examples) {
        Map<Input<?>, byte[]> inputs = inputs(example, program, rearmed.addresses);
        List<byte[]> expected = rearmed.interpreter.call(inputs);
        List<byte[]> answers = new ArrayList<>();
        rearmed.client.send(inputs);
        int idle = 0;
        for (int turn = 0; idle < IDLE_TURNS && !(hurries && rearmed.client.isOver()); turn++) {
          if (turn == MAX_TURNS) {
            return "the device has come to no rest";
          }
          idle = turn() ? 0 : idle + 1;
          if (idle % IDLE_TURNS == 0) {
            answers.addAll(rearmed.answers());
          }
        }
        String wrong = complaint(expected, answers) + rearmed.complaint();
        if (!rearmed.client.isOver() || !wrong.isEmpty()) {
          return "the call is%s over; %s".formatted(rearmed.client.isOver() ? "" : " not", wrong);
        }
      }
      Trial.rest(device);
      return complaint(List.of(), rearmed.answers()) + rearmed.complaint();
    }
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
