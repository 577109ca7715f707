package dev.bluebell.spark;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * A cluster that {@link Comparison} measures: a process that reads names of jobs from its standard
 * input, one per line, runs them, and prints the cost of each.
 */
final class ComparedCluster {
  private static final int EXECUTORS = 2;
  private static final int PARTITIONS = 8;
  private static final int MEGABYTES = 1536;

  private ComparedCluster() {}

  /** Arguments: the transfer ({@code spark} or {@code rdma}) and the records of a partition. */
  public static void main(String[] arguments) throws IOException {
    int records = Integer.parseInt(arguments[1]);
    Map<String, Consumer<JavaSparkContext>> jobs =
        Map.of(
            "sort", spark -> Jobs.sort(spark, 1, PARTITIONS, records),
            "group", spark -> Jobs.group(spark, PARTITIONS, records, 1000),
            "join", spark -> Jobs.join(spark, PARTITIONS, records));
    Path folder = Files.createTempDirectory("bluebell-spark");
    SparkConf conf = LocalCluster.configure(folder, EXECUTORS, 1, MEGABYTES);
    try (DeviceProcess device = arguments[0].equals("rdma") ? new DeviceProcess(folder) : null) {
      if (device != null) {
        LocalCluster.withRdma(conf, device.device());
      }
      try (JavaSparkContext spark = new JavaSparkContext(conf);
          BufferedReader input =
              new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
        String job;
        while ((job = input.readLine()) != null) {
          System.out.println(
              job.equals("counters")
                  ? Jobs.counters(spark, EXECUTORS)
                  : measure(jobs.get(job), spark, device));
        }
      }
    }
  }

  private static Cost measure(
      Consumer<JavaSparkContext> job, JavaSparkContext spark, DeviceProcess device) {
    long[] before = Jobs.costs(spark, EXECUTORS);
    Duration deviceBefore = device == null ? Duration.ZERO : device.cpu();
    long start = System.nanoTime();
    job.accept(spark);
    Duration wall = Duration.ofNanos(System.nanoTime() - start);
    Duration deviceAfter = device == null ? Duration.ZERO : device.cpu();
    long[] after = Jobs.costs(spark, EXECUTORS);
    return new Cost(
        wall.toMillis(),
        Duration.ofNanos(after[0] - before[0]).toMillis(),
        deviceAfter.minus(deviceBefore).toMillis(),
        (after[1] - before[1]) / 1_000_000);
  }

  /**
   * The cost of a job, in milliseconds and megabytes.
   *
   * @param wall time of the job
   * @param executors their CPU time
   * @param device CPU time of the device process
   * @param allocated by the executors
   */
  record Cost(long wall, long executors, long device, long allocated) {
    static Cost parse(String line) {
      String[] parts = line.split(" ", -1);
      return new Cost(
          Long.parseLong(parts[0]),
          Long.parseLong(parts[1]),
          Long.parseLong(parts[2]),
          Long.parseLong(parts[3]));
    }

    @Override
    public String toString() {
      return "%d %d %d %d".formatted(wall, executors, device, allocated);
    }
  }
}
