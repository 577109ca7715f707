package dev.bluebell.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Runs three jobs with Spark's own transfer and with RDMA, and prints for each the median wall
 * time, CPU time and allocation of the executors, and the CPU time of the device process. The first
 * argument is the number of rounds, the second the number of records of a partition.
 */
final class Comparison {
  private static final int EXECUTORS = 2;
  private static final int PARTITIONS = 8;

  private Comparison() {}

  public static void main(String[] arguments) throws IOException {
    int rounds = Integer.parseInt(arguments[0]);
    int records = Integer.parseInt(arguments[1]);
    Map<String, Consumer<JavaSparkContext>> jobs =
        Map.of(
            "sort", spark -> Jobs.sort(spark, 1, PARTITIONS, records),
            "group", spark -> Jobs.group(spark, PARTITIONS, records, 1000),
            "join", spark -> Jobs.join(spark, PARTITIONS, records));
    for (String transfer : List.of("spark", "rdma")) {
      Path folder = Files.createTempDirectory("bluebell-spark");
      SparkConf conf = LocalCluster.configure(folder, EXECUTORS, 1, 2048);
      try (DeviceProcess process = new DeviceProcess(folder)) {
        if (transfer.equals("rdma")) {
          LocalCluster.withRdma(conf, process.device());
        }
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
          jobs.values().forEach(job -> job.accept(spark));
          for (Map.Entry<String, Consumer<JavaSparkContext>> job : jobs.entrySet()) {
            measure(transfer, job.getKey(), job.getValue(), spark, process, rounds);
          }
          System.out.println(transfer + " " + Jobs.counters(spark, EXECUTORS));
        }
      }
    }
  }

  private static void measure(
      String transfer,
      String name,
      Consumer<JavaSparkContext> job,
      JavaSparkContext spark,
      DeviceProcess process,
      int rounds) {
    long[] millis = new long[rounds];
    long[] before = Jobs.costs(spark, EXECUTORS);
    Duration device = process.cpu();
    for (int round = 0; round < rounds; round++) {
      long start = System.nanoTime();
      job.accept(spark);
      millis[round] = Duration.ofNanos(System.nanoTime() - start).toMillis();
    }
    long[] after = Jobs.costs(spark, EXECUTORS);
    Arrays.sort(millis);
    System.out.printf(
        "%s %s: wall %d ms (%d to %d), executors %d ms and %d MB, device %d ms%n",
        transfer,
        name,
        millis[rounds / 2],
        millis[0],
        millis[rounds - 1],
        Duration.ofNanos((after[0] - before[0]) / rounds).toMillis(),
        (after[1] - before[1]) / rounds / 1_000_000,
        process.cpu().minus(device).dividedBy(rounds).toMillis());
  }
}
