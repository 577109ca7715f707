package dev.bluebell.lab.paper;

import dev.bluebell.program.Cell;
import dev.bluebell.program.Condition;
import dev.bluebell.program.Data;
import dev.bluebell.program.Input;
import dev.bluebell.program.Kind;
import dev.bluebell.program.Literal;
import dev.bluebell.program.Program;
import dev.bluebell.program.ProgramBuilder;
import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.install.Installation;
import dev.bluebell.program.offload.HashGet;
import dev.bluebell.program.offload.ListWalk;
import dev.bluebell.program.plan.Cost;
import dev.bluebell.program.plan.Lane;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.softnic.option.Timing;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;

/** Times and costs of compiled programs in virtual time, in microseconds. */
final class Compiled {
  private static final double NANOS_PER_MICRO = 1_000;
  private static final int KEY_BYTES = 6;
  private static final int VALUE_BYTES = 64;
  private static final int NODES = 8;
  private static final int CONDITIONS = 12;
  private static final int LAPS = 12;
  private static final long MET = 3;

  private final Timing timing;
  private final Target target;
  private final Model model;

  /**
   * @param target and model of programs and device
   */
  Compiled(Timing timing, Target target, Model model) {
    this.timing = timing;
    this.target = target;
    this.model = model;
  }

  /** A hash get whose only bucket has the key. */
  double get() {
    HashGet table = new HashGet(KEY_BYTES, VALUE_BYTES, NODES, 1, HashGet.Probing.PARALLEL);
    table.put(key(1), new byte[VALUE_BYTES]);
    return call(table.program(), addresses -> table.call(key(1), addresses));
  }

  /**
   * A list walk, the mean over all positions of the key.
   *
   * @param range number of nodes, of 8, among which the key is, from the first
   */
  double walk(int range) {
    ListWalk list = new ListWalk(KEY_BYTES, VALUE_BYTES, NODES);
    for (int i = 1; i <= NODES; i++) {
      list.add(key(i), new byte[VALUE_BYTES]);
    }
    double sum = 0;
    for (int i = 1; i <= range; i++) {
      byte[] wanted = key(i);
      sum += call(list.program(), addresses -> list.call(wanted, addresses));
    }
    return sum / range;
  }

  private static byte[] key(int number) {
    byte[] key = new byte[KEY_BYTES];
    key[0] = (byte) number;
    return key;
  }

  /** Rate of conditions, each of which depends on the one before, in millions per second. */
  double rate(Question question) {
    double all = call(chain(question, CONDITIONS), addresses -> Map.of());
    double one = call(chain(question, 1), addresses -> Map.of());
    return (CONDITIONS - 1) / (all - one);
  }

  /** Cost of each such condition, including the statement under it. */
  Cost cost(Question question) {
    return Cost.of(Compiler.compile(chain(question, 2), target, model))
        .minus(Cost.of(Compiler.compile(chain(question, 1), target, model)));
  }

  /** Cost of a condition on an input of the client, with a copy under it. */
  Cost costOfSent(int bytes) {
    ProgramBuilder asking = new ProgramBuilder("asking");
    Condition condition = Condition.equal(asking.number("sent", bytes), Literal.number(MET, bytes));
    asking.when(condition, () -> copy(asking));
    ProgramBuilder plain = new ProgramBuilder("plain");
    copy(plain);
    Cost cost =
        Cost.of(Compiler.compile(asking.build(), target, model))
            .minus(Cost.of(Compiler.compile(plain.build(), target, model)));
    return new Cost(
        cost.copies() + 1, cost.atomics(), cost.waits(), cost.enables(), cost.wqebbs() + 1);
  }

  /** Cost of a lap of a loop, without its body. */
  Cost costOfLap() {
    Cost both =
        Cost.sum(
            Compiler.compile(loop(LAPS), target, model).queue(Lane.LOOP).stream()
                .map(Cost::of)
                .toList());
    // One of the two gates of a lap is a NOP.
    return new Cost(
        both.copies() / 2,
        both.atomics() / 2 - 1,
        both.waits() / 2,
        both.enables() / 2 - 1,
        both.wqebbs() / 2);
  }

  /** The same for an unrolled lap. */
  Cost costOfWrittenLap() {
    return Cost.of(Compiler.compile(written(3), target, model))
        .minus(Cost.of(Compiler.compile(written(2), target, model)))
        .minus(new Cost(0, 1, 0, 0, 1));
  }

  /** Rate of a loop's laps, each with an addition, in millions per second. */
  double rateOfLaps() {
    return rate(Compiled::loop);
  }

  /** The same for unrolled laps. */
  double rateOfWrittenLaps() {
    return rate(Compiled::written);
  }

  private double rate(IntFunction<Program> laps) {
    double all = call(laps.apply(LAPS), addresses -> Map.of());
    double two = call(laps.apply(2), addresses -> Map.of());
    return (LAPS - 2) / (all - two);
  }

  private static Program loop(int laps) {
    ProgramBuilder program = new ProgramBuilder("loop");
    Cell<Kind.Number> lap = program.cell("lap", 0);
    program.loop(() -> lap(program, lap, laps));
    program.respond(lap);
    return program.build();
  }

  private static Program written(int laps) {
    ProgramBuilder program = new ProgramBuilder("written");
    Cell<Kind.Number> lap = program.cell("lap", 0);
    program.repeat(laps, _ -> lap(program, lap, laps));
    program.respond(lap);
    return program.build();
  }

  private static void lap(ProgramBuilder program, Cell<Kind.Number> lap, int last) {
    program.add(lap, Literal.number(1));
    program.breakWhen(Condition.equal(lap.first(KEY_BYTES), Literal.number(last, KEY_BYTES)));
  }

  private static void copy(ProgramBuilder program) {
    program.set(program.cell("copied", 0), Literal.number(MET));
  }

  /** A condition on a cell. */
  interface Question {
    Condition on(Cell<Kind.Number> cell);
  }

  private static Program chain(Question question, int length) {
    ProgramBuilder program = new ProgramBuilder("conditions");
    Cell<Kind.Number> cell = program.cell("cell0", MET);
    for (int i = 1; i <= length; i++) {
      Cell<Kind.Number> next = program.cell("cell" + i, 0);
      program.when(question.on(cell), () -> program.set(next, Literal.number(MET)));
      cell = next;
    }
    program.respond(cell);
    return program.build();
  }

  private double call(Program program, Function<Map<Data, Long>, Map<Input<?>, byte[]>> inputs) {
    Plan plan = Compiler.compile(program, target, model);
    try (Testbed bed = Testbed.open(timing, target, model);
        Installation installation = Installation.install(bed.device(), bed.node().domain(), plan)) {
      Map<Data, Long> addresses = installation.addresses(program);
      Client client = new Client(bed, VALUE_BYTES);
      Queue queue = client.queue();
      queue.pair().connect(installation.endpoint(), Node.ONE_READ);
      installation.connect(queue.pair().endpoint());
      bed.rest();
      client.message(queue, plan.encode(inputs.apply(addresses)));
      long begin = client.start(queue);
      bed.rest();
      return (queue.lastReceive() - begin) / NANOS_PER_MICRO;
    }
  }
}
