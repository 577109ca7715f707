package dev.bluebell.cli.demo;

import dev.bluebell.program.Cell;
import dev.bluebell.program.Condition;
import dev.bluebell.program.Data;
import dev.bluebell.program.Input;
import dev.bluebell.program.Kind;
import dev.bluebell.program.Literal;
import dev.bluebell.program.Loaded;
import dev.bluebell.program.Program;
import dev.bluebell.program.ProgramBuilder;
import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.install.Installation;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;

/**
 * Programs that run on the NIC. The host installs them and takes no part in a call: the client
 * sends one message and sleeps until the answer arrives.
 */
final class ProgramSteps {
  private static final int NUMBER = Long.BYTES;

  /** Bytes of a number that a single condition can compare. */
  private static final int KEY = 7;

  private static final int BOUNDED = 8;
  private static final int UNBOUNDED = 64;
  private static final long ANSWER_AT = 1024;

  private ProgramSteps() {}

  /** {@code x == y ? 1 : 0}, the first example of the RedN article. */
  static String condition(Stage stage) throws InterruptedException {
    ProgramBuilder program = new ProgramBuilder("condition");
    Input<Kind.Number> x = program.number("x", KEY);
    program.when(
        Condition.equal(x, Literal.number(42, KEY)),
        () -> program.respond(Literal.number(1)),
        () -> program.respond(Literal.number(0)));
    return call(stage, program.build(), Calls.MANY, x, Map.of(42L, 1L, 43L, 0L));
  }

  /** Compares every element of an array, also those after the match. */
  static String boundedLoop(Stage stage) throws InterruptedException {
    ProgramBuilder program = new ProgramBuilder("bounded-loop");
    Input<Kind.Number> x = program.number("x", KEY);
    Data array = array(program, BOUNDED);
    Cell<Kind.Number> i = program.cell("i", 0);
    program.repeat(
        BOUNDED,
        round -> {
          program.when(
              Condition.equal(array.number(round * NUMBER).first(KEY), x),
              () -> program.respond(i));
          program.add(i, Literal.number(1));
        });
    return call(stage, program.build(), Calls.ONE, x, Map.of(element(5), 5L));
  }

  /** Compares the elements of an array one after another, and stops at the match. */
  static String unboundedLoop(Stage stage) throws InterruptedException {
    ProgramBuilder program = new ProgramBuilder("unbounded-loop");
    Input<Kind.Number> x = program.number("x", KEY);
    Data array = array(program, UNBOUNDED);
    Cell<Kind.Number> at = program.cell("at", -NUMBER);
    program.loop(
        () -> {
          program.add(at, Literal.number(NUMBER));
          Loaded element = program.loadIndexed(array, at);
          program.breakWhen(Condition.equal(element.number(0, KEY), x));
        });
    program.respond(at);
    long last = UNBOUNDED - 1;
    return call(stage, program.build(), Calls.ONE, x, Map.of(element(last), last * NUMBER));
  }

  private static Data array(ProgramBuilder program, int elements) {
    Data array = program.data("array", elements * NUMBER);
    for (int i = 0; i < elements; i++) {
      array.put(i * NUMBER, Literal.number(element(i)).content());
    }
    return array;
  }

  private static long element(long i) {
    return 1000 + 3 * i;
  }

  private static String call(
      Stage stage, Program program, Calls calls, Input<?> input, Map<Long, Long> answers)
      throws InterruptedException {
    Plan plan = Compiler.compile(program, Target.CHECKED, Model.CONSERVATIVE, calls);
    Side client = stage.side(4096);
    try (Installation installed = Installation.install(stage.device(), stage.domain(), plan)) {
      client.queuePair().connect(installed.endpoint());
      installed.connect(client.queuePair().endpoint());
      Sleep sleep = new Sleep();
      stage.start();
      for (Map.Entry<Long, Long> call : answers.entrySet()) {
        byte[] message =
            plan.encode(Map.of(input, Literal.number(call.getKey(), input.bytes()).content()));
        MemorySegment.copy(message, 0, client.segment(), ValueLayout.JAVA_BYTE, 0, message.length);
        client.postReceive(0, ANSWER_AT, NUMBER);
        client.queuePair().send().gather(client.region(), 0, message.length).unsignaled(0);
        client.queuePair().ringDoorbell();
        sleep.until(client.completions());
        Check.equal("the length of the answer", NUMBER, client.await().byteCount());
        long answer = client.segment().get(ValueLayout.JAVA_LONG, ANSWER_AT);
        Check.equal("the answer to %d".formatted(call.getKey()), call.getValue(), answer);
      }
      stage.stop();
      Check.that(client.completions().poll() == null, "the program answered twice");
      return sleep.toString();
    }
  }
}
