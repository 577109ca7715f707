package dev.bluebell.lab.storm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Measures the rate of a well-behaved client next to an attacker of each kind, compared with its
 * rate next to as many threads that only use processor time. Prints a table; exits with 1 when the
 * rate is too low.
 */
final class Storm {
  private static final long WARM_UP_MILLIS = 4000;
  private static final long CALM_MILLIS = 1000;
  private static final long HOGS_MILLIS = 1500;

  /**
   * New work makes the device's JVM recompile its data path, which takes a second or two: an attack
   * is measured for that long, and for as long after it.
   */
  private static final long ATTACK_MILLIS = 2500;

  private static final double LEAST_SHARE = 1.0 / 3;
  private static final double MOST_STALL_MILLIS = 100;

  private final String name;
  private final long device;
  private final Child victim;

  private Storm(String name, long device, Child victim) {
    this.name = name;
    this.device = device;
    this.victim = victim;
  }

  /**
   * Measurements of the victim.
   *
   * @param rate messages per second
   * @param stall longest time without a message, in milliseconds, without the time that the machine
   *     lost
   * @param ran time that the victim's thread ran during the stall: little if it waited for a
   *     processor
   * @param lost total time for which the machine stood still
   */
  private record Figures(double rate, double stall, double ran, double lost) {}

  private Figures measure(long millis) throws IOException {
    pin(victim.pid(), "java", 0);
    pin(device, "bluebell-soft", 1);
    victim.tell("" + millis);
    String[] words = victim.line().split(" ", -1);
    return new Figures(
        1e3 * Long.parseLong(words[0]) / millis,
        Long.parseLong(words[1]) / 1e3,
        Long.parseLong(words[2]) / 1e3,
        Long.parseLong(words[3]) / 1e3);
  }

  /**
   * Pins all threads whose name starts with {@code thread} to one processor. Threads that they
   * start later inherit it. Otherwise the kernel's placement of two threads that wait for each
   * other would dominate the measurement.
   */
  private static void pin(long process, String thread, int processor) throws IOException {
    for (String task : tasks(process, thread)) {
      run("taskset", "-cp", "" + processor, task);
    }
  }

  /** Pins each witness to its processor, with priority over all other threads there. */
  private void pinWitnesses() throws IOException {
    for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
      for (String task : tasks(victim.pid(), Witness.NAME + i)) {
        run("taskset", "-cp", "" + i, task);
        run("chrt", "--fifo", "--pid", "99", task);
      }
    }
  }

  private static List<String> tasks(long process, String thread) throws IOException {
    try (Stream<Path> tasks = Files.list(Path.of("/proc/" + process + "/task"))) {
      List<String> found = new ArrayList<>();
      for (Path task : tasks.toList()) {
        if (name(task).startsWith(thread)) {
          found.add(task.getFileName().toString());
        }
      }
      return found;
    }
  }

  /** Name of a thread; empty when it has just ended. */
  private static String name(Path task) throws IOException {
    try {
      return Files.readString(task.resolve("comm")).strip();
    } catch (NoSuchFileException e) {
      return "";
    }
  }

  private static void run(String... command) throws IOException {
    Process process =
        new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    try {
      if (process.waitFor() != 0) {
        throw new IOException(String.join(" ", command) + " failed");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Figures besideHogs(int threads) throws IOException {
    try (Child hogs = Child.start(Hogs.class, "" + threads)) {
      String unused = hogs.line();
      return measure(HOGS_MILLIS);
    }
  }

  /** Measurements of the first seconds of an attack, and of the following ones. */
  private record Attacked(Figures first, Figures then) {
    /** The lower of the rate over the whole time and that of its second half. */
    double rate() {
      return Math.min(then.rate(), (first.rate() + then.rate()) / 2);
    }

    Figures worse() {
      return first.stall() > then.stall() ? first : then;
    }

    double lost() {
      return first.lost() + then.lost();
    }
  }

  private Attacked beside(Attack attack) throws IOException {
    try (Child attacker = Child.start(Attack.class, attack.name(), name)) {
      String unused = attacker.line();
      attacker.tell("go");
      Attacked figures = new Attacked(measure(ATTACK_MILLIS), measure(ATTACK_MILLIS));
      if (!attacker.isAlive()) {
        throw new IOException("the attacker %s has ended".formatted(attack));
      }
      return figures;
    } finally {
      Attack.removeResidents(name);
    }
  }

  /**
   * Result for an attack.
   *
   * @param share share of the rate next to hogs
   * @param stall longest time without a message, in milliseconds
   */
  private record Left(double share, double stall) {
    /** The median share, the lower of two, and the longest stall of several results. */
    static Left of(List<Left> several) {
      double[] shares = several.stream().mapToDouble(Left::share).sorted().toArray();
      double stall = several.stream().mapToDouble(Left::stall).max().orElseThrow();
      return new Left(shares[(shares.length - 1) / 2], stall);
    }

    boolean isEnough() {
      return share >= LEAST_SHARE && stall <= MOST_STALL_MILLIS;
    }

    String verdict() {
      return isEnough() ? "yes" : "NO";
    }
  }

  private Left row(Attack attack) throws IOException {
    Figures hogs = besideHogs(attack.threads());
    Attacked attacked = beside(attack);
    Left left = new Left(attacked.rate() / hogs.rate(), attacked.worse().stall());
    System.out.printf(
        Locale.ROOT,
        "| %s | %d | %.2f | %.2f | %.2f | %.2f | %.0f | %.0f | %.0f | %.0f | %s |%n",
        attack.description(),
        attack.threads(),
        hogs.rate() / 1e6,
        attacked.first().rate() / 1e6,
        attacked.then().rate() / 1e6,
        left.share(),
        hogs.stall(),
        left.stall(),
        attacked.worse().ran(),
        attacked.lost(),
        left.verdict());
    return left;
  }

  private boolean run(List<Attack> attacks, int rounds) throws IOException {
    Map<Attack, List<Left>> left = new LinkedHashMap<>();
    Figures unused = measure(WARM_UP_MILLIS);
    pinWitnesses();
    Figures calm = measure(CALM_MILLIS);
    System.out.printf(
        Locale.ROOT, "Alone: %.2f M/s, stall %.0f ms%n%n", calm.rate() / 1e6, calm.stall());
    for (int i = 0; i < rounds; i++) {
      round(attacks, left);
    }
    boolean well = true;
    for (List<Left> each : left.values()) {
      well &= Left.of(each).isEnough();
    }
    if (rounds > 1) {
      printMedians(left, rounds);
    }
    return well;
  }

  private static void printMedians(Map<Attack, List<Left>> left, int rounds) {
    System.out.printf(
        "%n| attacker | share, median of %d | longest stall, ms | passed |%n|---|---|---|---|%n",
        rounds);
    left.forEach(
        (attack, each) -> {
          Left all = Left.of(each);
          System.out.printf(
              Locale.ROOT,
              "| %s | %.2f | %.0f | %s |%n",
              attack.description(),
              all.share(),
              all.stall(),
              all.verdict());
        });
  }

  private void round(List<Attack> attacks, Map<Attack, List<Left>> left) throws IOException {
    System.out.println(
        "| attacker | threads | beside hogs, M/s | beside it, first half, M/s | second half, M/s |"
            + " share | stall beside hogs, ms | stall beside it, ms | of it running, ms | the"
            + " machine stood still, ms | passed |");
    System.out.println("|---|---|---|---|---|---|---|---|---|---|---|");
    for (Attack attack : attacks) {
      left.computeIfAbsent(attack, key -> new ArrayList<>()).add(row(attack));
    }
  }

  /**
   * Runs the storm.
   *
   * @param arguments path of the device process's socket, its process id, the number of rounds, and
   *     the attacks; none means all
   */
  public static void main(String[] arguments) throws IOException {
    String name = "socket:" + arguments[0];
    List<Attack> attacks =
        arguments.length == 3
            ? List.of(Attack.values())
            : Arrays.stream(arguments).skip(3).map(Attack::valueOf).toList();
    try (Child victim = Child.start(Victim.class, name)) {
      if (!new Storm(name, Long.parseLong(arguments[1]), victim)
          .run(attacks, Integer.parseInt(arguments[2]))) {
        System.exit(1);
      }
    }
  }
}
