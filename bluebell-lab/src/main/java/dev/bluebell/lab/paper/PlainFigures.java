package dev.bluebell.lab.paper;

import static dev.bluebell.softnic.option.Timing.Constant.ATOMIC_RATE;
import static dev.bluebell.softnic.option.Timing.Constant.COMPARE_SWAP;
import static dev.bluebell.softnic.option.Timing.Constant.COMPLETION_ORDER;
import static dev.bluebell.softnic.option.Timing.Constant.DOORBELL_ORDER;
import static dev.bluebell.softnic.option.Timing.Constant.FETCH_ADD;
import static dev.bluebell.softnic.option.Timing.Constant.NOP_LOCAL;
import static dev.bluebell.softnic.option.Timing.Constant.NOP_REMOTE;
import static dev.bluebell.softnic.option.Timing.Constant.QUEUE_ORDER;
import static dev.bluebell.softnic.option.Timing.Constant.READ;
import static dev.bluebell.softnic.option.Timing.Constant.READ_RATE;
import static dev.bluebell.softnic.option.Timing.Constant.WRITE;
import static dev.bluebell.softnic.option.Timing.Constant.WRITE_RATE;

import dev.bluebell.lab.paper.Verbs.Verb;
import dev.bluebell.softnic.option.Timing;
import dev.bluebell.softnic.option.Timing.Constant;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** The figures of single verbs, of orders, and of constructs. */
final class PlainFigures {
  private static final double NANOS_PER_MICRO = 1_000;
  private static final int CHAIN = 60;
  private static final int LAPS = 30;

  private PlainFigures() {}

  static List<Figure> all() {
    return List.of(
        micros("first NOP of a chain", 1.21, Set.of(NOP_LOCAL), bed -> Verbs.chain(bed, 1)),
        further("each further NOP, queue order", 0.149, QUEUE_ORDER, Verbs::chain),
        verb("READ, 64 B", 1.82, READ, Verb.READ),
        verb("WRITE, 64 B", 1.59, WRITE, Verb.WRITE),
        verb("CAS", 1.73, COMPARE_SWAP, Verb.CAS),
        verb("ADD", 1.64, FETCH_ADD, Verb.ADD),
        rate("READ, one port", 65, READ_RATE, Verb.READ),
        rate("WRITE, one port", 63, WRITE_RATE, Verb.WRITE),
        rate("CAS, one port", 8.4, ATOMIC_RATE, Verb.CAS),
        rate("ADD, one port", 8.4, ATOMIC_RATE, Verb.ADD),
        further(
            "each further NOP, completion order",
            0.153,
            COMPLETION_ORDER,
            Constructs::inCompletionOrder),
        further(
            "each further NOP, doorbell order", 0.501, DOORBELL_ORDER, Constructs::inDoorbellOrder),
        laps(
            "`if`, also a lap of an unrolled loop (1C + 1A + 3E)",
            0.7,
            Set.of(NOP_REMOTE, WRITE, COMPARE_SWAP, QUEUE_ORDER, COMPLETION_ORDER, DOORBELL_ORDER),
            Constructs::conditions),
        laps(
            "lap of a recycled loop (3C + 2A + 4E)",
            0.3,
            Set.of(NOP_REMOTE, READ, WRITE, COMPARE_SWAP, QUEUE_ORDER, DOORBELL_ORDER),
            Constructs::recycled));
  }

  /** A chain of a given length. */
  private interface Chain {
    double nanos(Testbed bed, int length);
  }

  private static double on(Timing timing, ToDoubleFunction<Testbed> what) {
    try (Testbed bed = Testbed.open(timing)) {
      return what.applyAsDouble(bed);
    }
  }

  private static Figure micros(
      String name, double paper, Set<Constant> constants, ToDoubleFunction<Testbed> nanos) {
    return Figure.plain(
        name, "µs", paper, constants, timing -> on(timing, nanos) / NANOS_PER_MICRO);
  }

  private static Figure verb(String name, double paper, Constant constant, Verb verb) {
    return micros(name, paper, Set.of(constant), bed -> Verbs.latency(bed, verb));
  }

  private static Figure further(String name, double paper, Constant constant, Chain chain) {
    return micros(
        name,
        paper,
        Set.of(constant),
        bed -> (chain.nanos(bed, CHAIN) - chain.nanos(bed, 1)) / (CHAIN - 1));
  }

  private static Figure rate(String name, double paper, Constant constant, Verb verb) {
    return Figure.plain(
        name, "M/s", paper, Set.of(constant), timing -> on(timing, bed -> Verbs.rate(bed, verb)));
  }

  private static Figure laps(String name, double paper, Set<Constant> constants, Chain chain) {
    return Figure.plain(
        name,
        "M/s",
        paper,
        constants,
        timing ->
            on(
                timing,
                bed ->
                    (LAPS - 1) * NANOS_PER_MICRO / (chain.nanos(bed, LAPS) - chain.nanos(bed, 1))));
  }
}
