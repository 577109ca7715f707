package dev.bluebell.lab.storm;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/**
 * A soak test of a device process: clients connect, work, are killed and attack it, for some time,
 * while another client works all the time. Prints the resource use of the device process every
 * minute. Exits with 1 when that grows, or when a client that was not killed lost data.
 */
final class Soak {
  private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final int STEADY_MESSAGES = 1000;
  private static final int MAX_ATTACK_MILLIS = 4000;
  private static final int MAX_WORK_MESSAGES = 4000;

  /**
   * Maximum factor by which the figures may grow between the second fifth of the time and the last.
   */
  private static final double GROWTH = 1.1;

  private static final long HEAP_SLACK_KIB = 8 << 10;
  private static final long RSS_SLACK_KIB = 64 << 10;
  private static final long THREADS_SLACK = 4;
  private static final long COUNT_SLACK = 8;

  private final String name;
  private final long pid;
  private final List<String> application;
  private final Random random;

  /** Remaining attacks of this round. */
  private final List<Attack> round = new ArrayList<>();

  private final Map<Attack, Integer> attacks = new EnumMap<>(Attack.class);
  private final List<DeviceFigures> history = new ArrayList<>();
  private int came;
  private int killed;
  private int applications;
  private int failed;
  private long messages;

  private Soak(String name, long pid, List<String> application, long seed) {
    this.name = name;
    this.pid = pid;
    this.application = application;
    random = new Random(seed);
  }

  private void run(long minutes) throws IOException, InterruptedException {
    try (Child steady = Child.start(Worker.class, name, "" + random.nextLong())) {
      steady.tell("" + STEADY_MESSAGES);
      System.out.println(
          "| minute | RSS, MiB | live heap, MiB | threads | descriptors | mappings | clients that"
              + " finished | clients that were killed | rdma-core clients | attackers | messages"
              + " compared | failed |");
      System.out.println("|---|---|---|---|---|---|---|---|---|---|---|---|");
      long start = System.nanoTime();
      for (int minute = 1; minute <= minutes; minute++) {
        while (System.nanoTime() - start < minute * MINUTE_NANOS) {
          one();
          messages += Long.parseLong(steady.line());
          steady.tell("" + STEADY_MESSAGES);
        }
        report(minute);
      }
      messages += Long.parseLong(steady.line());
    }
  }

  private void one() throws IOException, InterruptedException {
    switch (random.nextInt(5)) {
      case 0, 1 -> attack();
      case 2 -> foreign();
      default -> work();
    }
  }

  private void attack() throws IOException, InterruptedException {
    Attack attack = nextAttack();
    try (Child attacker = Child.start(Attack.class, attack.name(), name)) {
      String unused = attacker.line();
      attacker.tell("go");
      if (random.nextBoolean()) {
        work();
      }
      if (attacker.endsWithin(random.nextInt(MAX_ATTACK_MILLIS))) {
        System.err.printf("the attacker %s ended by itself%n", attack);
        failed++;
      }
    } finally {
      Attack.removeResidents(name);
    }
    attacks.merge(attack, 1, Integer::sum);
  }

  /** The next attack. Each kind occurs once per round, so a soak of an hour has all of them. */
  private Attack nextAttack() {
    if (round.isEmpty()) {
      round.addAll(List.of(Attack.values()));
      Collections.shuffle(round, random);
    }
    return round.removeLast();
  }

  private void work() throws IOException, InterruptedException {
    try (Child worker = Child.start(Worker.class, name, "" + random.nextLong())) {
      int count = random.nextInt(1, MAX_WORK_MESSAGES);
      worker.tell("" + count);
      if (random.nextInt(3) == 0) {
        if (worker.endsWithin(random.nextInt(MAX_ATTACK_MILLIS / 2))) {
          throw new IOException("it ended before it was killed");
        }
        killed++;
        return;
      }
      messages += Long.parseLong(worker.line());
      came++;
    } catch (IOException e) {
      System.err.println("a client that worked failed: " + e.getMessage());
      failed++;
    }
  }

  /** Runs an application of rdma-core, which checks its data itself. */
  private void foreign() throws IOException, InterruptedException {
    if (application.isEmpty()) {
      work();
      return;
    }
    Process process =
        new ProcessBuilder(application)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    applications++;
    if (process.waitFor() != 0) {
      System.err.println("an application of rdma-core failed");
      failed++;
    }
  }

  private void report(int minute) throws IOException {
    DeviceFigures figures = DeviceFigures.of(pid);
    history.add(figures);
    System.out.printf(
        "| %d | %s | %d | %d | %d | %d | %d | %d |%n",
        minute,
        figures.row(),
        came,
        killed,
        applications,
        attacks.values().stream().mapToInt(Integer::intValue).sum(),
        messages,
        failed);
  }

  /**
   * Compares the mean of the second fifth with that of the last; the first fifth is the warm-up.
   */
  private boolean isFlat() {
    int fifth = Math.max(1, history.size() / 5);
    List<DeviceFigures> early =
        history.subList(Math.min(fifth, history.size() - 1), Math.min(2 * fifth, history.size()));
    List<DeviceFigures> late = history.subList(history.size() - fifth, history.size());
    return isFlat("RSS", early, late, DeviceFigures::rssKib, RSS_SLACK_KIB)
        & isFlat("heap", early, late, DeviceFigures::heapKib, HEAP_SLACK_KIB)
        & isFlat("threads", early, late, DeviceFigures::threads, THREADS_SLACK)
        & isFlat("descriptors", early, late, DeviceFigures::descriptors, COUNT_SLACK)
        & isFlat("mappings", early, late, DeviceFigures::mappings, COUNT_SLACK);
  }

  private static boolean isFlat(
      String what,
      List<DeviceFigures> early,
      List<DeviceFigures> late,
      ToLongFunction<DeviceFigures> figure,
      long slack) {
    double before = early.stream().mapToLong(figure).average().orElseThrow();
    double after = late.stream().mapToLong(figure).average().orElseThrow();
    boolean flat = after <= GROWTH * before + slack;
    System.out.printf("%s: %.0f, then %.0f: %s%n", what, before, after, flat ? "flat" : "GREW");
    return flat;
  }

  /**
   * Runs the soak.
   *
   * @param arguments path of the device process's socket, its process id, minutes, a seed, and a
   *     command that runs an application of rdma-core on it, which is optional
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Soak soak =
        new Soak(
            "socket:" + arguments[0],
            Long.parseLong(arguments[1]),
            List.of(arguments).subList(4, arguments.length),
            Long.parseLong(arguments[3]));
    soak.run(Long.parseLong(arguments[2]));
    System.out.println();
    System.out.println("attacks: " + soak.attacks);
    boolean flat = soak.isFlat();
    if (!flat || soak.failed > 0) {
      System.exit(1);
    }
  }
}
