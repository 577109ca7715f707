package dev.bluebell.lab.paper;

import static dev.bluebell.softnic.option.Timing.Constant.BANDWIDTH;
import static dev.bluebell.softnic.option.Timing.Constant.COMPARE_SWAP;
import static dev.bluebell.softnic.option.Timing.Constant.COMPLETION_ORDER;
import static dev.bluebell.softnic.option.Timing.Constant.DOORBELL_ORDER;
import static dev.bluebell.softnic.option.Timing.Constant.NOP_LOCAL;
import static dev.bluebell.softnic.option.Timing.Constant.NOP_REMOTE;
import static dev.bluebell.softnic.option.Timing.Constant.QUEUE_ORDER;
import static dev.bluebell.softnic.option.Timing.Constant.READ;
import static dev.bluebell.softnic.option.Timing.Constant.WRITE;

import dev.bluebell.program.compile.Target;
import dev.bluebell.program.plan.Model;
import dev.bluebell.softnic.option.Timing;
import dev.bluebell.softnic.option.Timing.Constant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** The figures of services: RedN's own, their competitors, and compiled programs. */
final class ServiceFigures {
  private static final int SMALL = 64;
  private static final int[] SIZES = {SMALL, 1 << 10, 4 << 10, 16 << 10, 64 << 10};
  private static final String[] SIZE_NAMES = {"64 B", "1 KiB", "4 KiB", "16 KiB", "64 KiB"};
  private static final int[] RANGES = {1, 2, 4, 8};
  private static final int MANY_WRITERS = 16;

  /** The paper's READ of a value, for each of the sizes, in microseconds. */
  private static final double[] READS = {4.34, 4.80, 5.18, 8.22, 15.4};

  /** Time of a server's processor for a message: derived from the two-sided get of 64 bytes. */
  static final double SERVER = 6.52;

  /** The same with sockets: derived from the two-sided get of Memcached of 64 bytes. */
  static final double SOCKETS = 3.82;

  /** Time of a client's processor for a READ: derived from the one-sided get of 64 bytes. */
  static final double CLIENT = 0.66;

  /** The same when it follows a list: derived from the one-sided walk of one node. */
  static final double LIST_CLIENT = 3.16;

  private static final Set<Constant> READING =
      EnumSet.of(READ, QUEUE_ORDER, COMPLETION_ORDER, DOORBELL_ORDER);
  private static final Set<Constant> GETTING =
      EnumSet.of(
          NOP_LOCAL,
          NOP_REMOTE,
          READ,
          WRITE,
          COMPARE_SWAP,
          QUEUE_ORDER,
          COMPLETION_ORDER,
          DOORBELL_ORDER);

  // COMPLETION_ORDER is missing: over two probes, the shorter WAIT and the longer SEND_EN cancel
  // out.
  private static final Set<Constant> GETTING_IN_TURN =
      EnumSet.of(NOP_LOCAL, NOP_REMOTE, READ, WRITE, COMPARE_SWAP, QUEUE_ORDER, DOORBELL_ORDER);
  private static final Set<Constant> ASKING =
      EnumSet.of(NOP_LOCAL, NOP_REMOTE, WRITE, DOORBELL_ORDER);

  private ServiceFigures() {}

  // ---- RedN's

  static List<Figure> gets() {
    List<Figure> all = new ArrayList<>();
    for (int i = 0; i < SIZES.length; i++) {
      int bytes = SIZES[i];
      all.add(
          Figure.plain(
              "one READ, " + SIZE_NAMES[i],
              "µs",
              READS[i],
              sized(READING, bytes),
              timing -> Services.read(timing, bytes)));
    }
    all.addAll(bySize("get", GETTING, Services::get, 5.61, 5.21, 6.32, 10.2, 16.2));
    return all;
  }

  static List<Figure> collisions() {
    List<Figure> all =
        bySize("in turn", GETTING_IN_TURN, Services::sequential, 8.75, 8.68, 8.75, 12.9, 20.1);
    all.addAll(bySize("at once", GETTING, Services::parallel, 5.79, 6.47, 6.85, 10.7, 16.5));
    return all;
  }

  static List<Figure> walks() {
    List<Figure> all =
        byRange(
            "to the end",
            GETTING,
            (timing, range) -> Services.walk(timing, range, false),
            5.9,
            7.5,
            9.2,
            13.5);
    all.addAll(
        byRange(
            "with break",
            GETTING,
            (timing, range) -> Services.walk(timing, range, true),
            8.5,
            10.4,
            13.7,
            24.0));
    return all;
  }

  static List<Figure> memcached() {
    return bySize("get", GETTING, Services::get, 5.7, 5.7, 6.4, 10.2, 16.3);
  }

  static List<Figure> isolation() {
    return List.of(
        small(
            "the card's get, 1 writer",
            5.4,
            GETTING,
            timing -> Services.amongWriters(timing, 1, SERVER)),
        small(
            "the card's get, 16 writers",
            5.7,
            GETTING,
            timing -> Services.amongWriters(timing, MANY_WRITERS, SERVER)),
        small(
            "two-sided, 1 writer",
            12,
            ASKING,
            timing -> Services.twoSidedAmongWriters(timing, 1, SERVER)),
        small(
            "two-sided, 16 writers",
            107,
            ASKING,
            timing -> Services.twoSidedAmongWriters(timing, MANY_WRITERS, SERVER)));
  }

  // ---- competitors

  static List<Figure> twoSided() {
    List<Figure> all =
        sourced(
            bySize(
                "hash get",
                ASKING,
                (timing, bytes) -> Services.twoSided(timing, bytes, SERVER),
                12.0,
                12.5,
                12.9,
                17.3,
                21.6));
    all.addAll(
        byRange(
            "list walk",
            ASKING,
            (timing, range) -> Services.twoSided(timing, SMALL, SERVER),
            13.0,
            13.1,
            13.3,
            13.5));
    all.addAll(
        sourced(
            bySize(
                "Memcached get",
                ASKING,
                (timing, bytes) -> Services.twoSided(timing, bytes, SOCKETS),
                9.3,
                10.4,
                13.2,
                17.1,
                43.0)));
    return all;
  }

  static List<Figure> oneSided() {
    double[] paper = {10.0, 11.3, 11.6, 15.4, 19.5};
    List<Figure> all = new ArrayList<>();
    for (int i = 0; i < SIZES.length; i++) {
      int bytes = SIZES[i];
      double read = READS[i];
      all.add(
          new Figure(
              "hash or Memcached get, " + SIZE_NAMES[i],
              "µs",
              paper[i],
              sized(READING, bytes),
              timing -> Services.read(timing, SMALL) + Services.read(timing, bytes) + 2 * CLIENT,
              timing ->
                  READS[0] + read - Services.read(timing, SMALL) - Services.read(timing, bytes),
              i == 0));
    }
    double[] walks = {15.0, 18.6, 22.0, 40.5};
    for (int i = 0; i < RANGES.length; i++) {
      double reads = (RANGES[i] + 1) / 2.0 + 1;
      all.add(
          new Figure(
              rangeName("list walk", RANGES[i]),
              "µs",
              walks[i],
              READING,
              timing -> reads * (Services.read(timing, SMALL) + LIST_CLIENT),
              timing -> reads * (READS[0] - Services.read(timing, SMALL)),
              i == 0));
    }
    return all;
  }

  private static List<Figure> sourced(List<Figure> figures) {
    figures.set(0, figures.getFirst().source());
    return figures;
  }

  // ---- compiled

  static List<Figure> compiled() {
    List<Figure> all = new ArrayList<>();
    for (Target target : new Target[] {Target.UNCHECKED, Target.CHECKED}) {
      all.add(
          small(
              "hash get of 64 B, " + target,
              5.61,
              GETTING,
              timing -> new Compiled(timing, target, Model.CONSERVATIVE).get()));
      all.addAll(
          byRange(
              "list walk to the end, " + target,
              GETTING,
              (timing, range) -> new Compiled(timing, target, Model.CONSERVATIVE).walk(range),
              5.9,
              7.5,
              9.2,
              13.5));
    }
    return all;
  }

  // ---- rows

  /** Predicts the time of a service for a size or a range. */
  private interface Service {
    double micros(Timing timing, int number);
  }

  private static List<Figure> bySize(
      String name, Set<Constant> constants, Service service, double... paper) {
    List<Figure> all = new ArrayList<>();
    for (int i = 0; i < SIZES.length; i++) {
      int bytes = SIZES[i];
      double read = READS[i];
      all.add(
          new Figure(
              name + ", " + SIZE_NAMES[i],
              "µs",
              paper[i],
              sized(constants, bytes),
              timing -> service.micros(timing, bytes),
              timing -> read - Services.read(timing, bytes),
              false));
    }
    return all;
  }

  private static List<Figure> byRange(
      String name, Set<Constant> constants, Service service, double... paper) {
    List<Figure> all = new ArrayList<>();
    for (int i = 0; i < RANGES.length; i++) {
      int range = RANGES[i];
      all.add(
          small(
              rangeName(name, range),
              paper[i],
              constants,
              timing -> service.micros(timing, range)));
    }
    return all;
  }

  private static Figure small(
      String name, double paper, Set<Constant> constants, ToDoubleFunction<Timing> predicted) {
    return new Figure(
        name,
        "µs",
        paper,
        constants,
        predicted,
        timing -> READS[0] - Services.read(timing, SMALL),
        false);
  }

  private static String rangeName(String name, int range) {
    return range == 1 ? name + ", first node" : "%s, one of the first %d".formatted(name, range);
  }

  private static Set<Constant> sized(Set<Constant> constants, int bytes) {
    Set<Constant> sized = EnumSet.copyOf(constants);
    if (bytes > SMALL) {
      sized.add(BANDWIDTH);
    }
    return sized;
  }
}
