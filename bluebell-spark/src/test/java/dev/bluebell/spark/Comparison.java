package dev.bluebell.spark;

import dev.bluebell.spark.ComparedCluster.Cost;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/**
 * Compares Spark's own transfer with RDMA: two clusters run each job alternately, and the median
 * costs are printed. Arguments: the number of rounds, and the records of a partition.
 */
final class Comparison {
  private static final List<String> TRANSFERS = List.of("spark", "rdma");
  private static final List<String> JOBS = List.of("sort", "group", "join");

  /** Enough for the executors' JVMs to have compiled most of the jobs' code. */
  private static final int WARMUPS = 3;

  private Comparison() {}

  public static void main(String[] arguments) throws IOException {
    int rounds = Integer.parseInt(arguments[0]);
    try (Cluster spark = new Cluster("spark", arguments[1]);
        Cluster rdma = new Cluster("rdma", arguments[1])) {
      for (String job : JOBS) {
        for (int round = 0; round < WARMUPS; round++) {
          spark.run(job);
          rdma.run(job);
        }
      }
      for (String job : JOBS) {
        List<List<Cost>> costs = List.of(new ArrayList<>(), new ArrayList<>());
        double load = load();
        for (int round = 0; round < rounds; round++) {
          // Neither is always the one that comes after the other.
          for (int turn = 0; turn < 2; turn++) {
            int which = (round + turn) % 2;
            costs.get(which).add((which == 0 ? spark : rdma).run(job));
          }
        }
        for (int which = 0; which < 2; which++) {
          print(job, TRANSFERS.get(which), costs.get(which));
        }
        System.out.printf(
            Locale.ROOT,
            "%s: wall time by RDMA %.2f of Spark's, CPU time of executors %.2f, load average %.1f"
                + " to %.1f%n",
            job,
            ratio(costs, Cost::wall),
            ratio(costs, Cost::executors),
            load,
            load());
      }
      System.out.println("counters: " + rdma.ask("counters"));
    }
  }

  private static double load() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }

  private static void print(String job, String transfer, List<Cost> costs) {
    List<Long> walls = costs.stream().map(Cost::wall).sorted().toList();
    System.out.printf(
        "%s, %s: wall %d ms (%d to %d), executors %d ms and %d MB, device %d ms%n",
        job,
        transfer,
        median(costs, Cost::wall),
        walls.getFirst(),
        walls.getLast(),
        median(costs, Cost::executors),
        median(costs, Cost::allocated),
        median(costs, Cost::device));
  }

  private static long median(List<Cost> costs, ToLongFunction<Cost> part) {
    return costs.stream().mapToLong(part).sorted().skip(costs.size() / 2).findFirst().orElseThrow();
  }

  private static double ratio(List<List<Cost>> costs, ToLongFunction<Cost> part) {
    return (double) median(costs.get(1), part) / median(costs.get(0), part);
  }

  /** A process of {@link ComparedCluster}. */
  private static final class Cluster implements AutoCloseable {
    private final Process process;
    private final PrintStream requests;
    private final BufferedReader answers;

    Cluster(String transfer, String records) throws IOException {
      List<String> command = new ArrayList<>(List.of(LocalCluster.java()));
      command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
      command.addAll(
          List.of(
              "-cp",
              System.getProperty("java.class.path"),
              ComparedCluster.class.getName(),
              transfer,
              records));
      process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      requests = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
      answers = process.inputReader(StandardCharsets.UTF_8);
    }

    String ask(String what) throws IOException {
      requests.println(what);
      String answer = answers.readLine();
      if (answer == null) {
        throw new IOException("the cluster ended");
      }
      return answer;
    }

    Cost run(String job) throws IOException {
      return Cost.parse(ask(job));
    }

    @Override
    public void close() {
      // It ends when its input does.
      requests.close();
      process.onExit().join();
    }
  }
}
