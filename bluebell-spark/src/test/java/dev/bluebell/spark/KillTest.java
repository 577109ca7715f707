package dev.bluebell.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;

/**
 * A process dies or stops in the middle of a shuffle, and the job still returns the right result.
 */
@Tag("long")
class KillTest {
  private static final int PARTITIONS = 6;
  private static final int PER_PARTITION = 3000;

  /** Jobs within which executors find a device again; the first or second one does. */
  private static final int MAX_ROUNDS = 20;

  /** Instead of a process ID: the other executor is killed, or stopped. */
  private static final long KILL = 0;

  private static final long STOP = -1;

  @Test
  void aJobEndsRightWhenTheDeviceProcessIsKilledBetweenTwoReads(@TempDir Path folder)
      throws IOException {
    try (DeviceProcess process = new DeviceProcess(folder)) {
      Map<String, Long> counters = run(folder, process, process.pid(), "reads-before-device-dies");

      assertThat(counters.get("blocksByFallback")).isPositive();
    }
  }

  @Test
  void aJobEndsRightWhenAnExecutorIsKilledBetweenTwoReads(@TempDir Path folder) throws IOException {
    try (DeviceProcess process = new DeviceProcess(folder)) {
      Map<String, Long> counters = run(folder, process, KILL, "reads-before-executor-dies");

      assertThat(counters.get("connections")).isNotNull();
    }
  }

  @Test
  void aJobEndsRightWhenAnExecutorStopsAnsweringBetweenTwoReads(@TempDir Path folder)
      throws IOException {
    try (DeviceProcess process = new DeviceProcess(folder)) {
      Map<String, Long> counters = run(folder, process, STOP, "reads-before-executor-stops");

      assertThat(counters.get("connections")).isNotNull();
    }
  }

  @Test
  void executorsReadByRdmaAgainWhenTheirDeviceProcessIsBack(@TempDir Path folder)
      throws IOException {
    try (DeviceProcess first = new DeviceProcess(folder);
        JavaSparkContext spark =
            new JavaSparkContext(
                LocalCluster.withRdma(
                    LocalCluster.configure(folder, 2, 1, 1024)
                        .set("spark.bluebell.retryInterval", "100ms"),
                    first.device()))) {
      Jobs.sort(spark, 1, 4, 2000);
      assertThat(Jobs.counters(spark, 2).get("blocksByRdma")).isPositive();
      first.kill();
      Jobs.sort(spark, 2, 4, 2000);
      long before = Jobs.counters(spark, 2).get("blocksByRdma");
      try (DeviceProcess second = new DeviceProcess(folder)) {
        assertThat(second.device()).isEqualTo(first.device());
        long now = before;
        for (int round = 0; round < MAX_ROUNDS && now == before; round++) {
          Jobs.sort(spark, 3 + round, 4, 2000);
          now = Jobs.counters(spark, 2).get("blocksByRdma");
        }
        assertThat(now).isGreaterThan(before);
      }
    }
  }

  /**
   * Runs two shuffles of the same files. The first reads by RDMA; the first task of the second
   * kills or stops a process, once, when it has read a record.
   *
   * @param victim process ID; {@code KILL} or {@code STOP} for the other executor
   */
  private static Map<String, Long> run(Path folder, DeviceProcess process, long victim, String name)
      throws IOException {
    Path mark = folder.resolve(name);
    try (JavaSparkContext spark =
        new JavaSparkContext(
            LocalCluster.withRdma(
                LocalCluster.configure(folder, 2, 1, 1024)
                    .set("spark.shuffle.io.retryWait", "100ms")
                    // An executor that stops is lost after that.
                    .set("spark.storage.blockManagerHeartbeatTimeoutMs", "20000")
                    .set("spark.shuffle.io.connectionTimeout", "20s")
                    .set("spark.network.timeoutInterval", "5s")
                    .set("spark.executor.heartbeatInterval", "2s")
                    // Block by block, so that some are left when the process dies.
                    .set("spark.reducer.maxBlocksInFlightPerAddress", "1")
                    .set("spark.reducer.maxReqsInFlight", "1"),
                process.device()))) {
      JavaPairRDD<Integer, Long> sums = sums(spark);
      check(sums.mapValues(sum -> sum).collect());

      String path = mark.toString();
      Set<Long> executors = Jobs.processes(spark, 2);
      assertThat(executors).hasSize(2);
      assertThat(Jobs.counters(spark, 2).get("blocksByRdma")).isPositive();
      check(
          sums.mapPartitionsToPair(
                  records -> {
                    Tuple2<Integer, Long> first = records.next();
                    if (Files.notExists(Path.of(path))) {
                      Files.createFile(Path.of(path));
                      end(victim, executors);
                    }
                    List<Tuple2<Integer, Long>> all = new ArrayList<>(List.of(first));
                    records.forEachRemaining((Consumer<Tuple2<Integer, Long>>) all::add);
                    return all.iterator();
                  })
              .collect());
      assertThat(mark).exists();
      // A task that failed for another reason than that did not kill.
      assertThat(victim > 0 && ProcessHandle.of(victim).isPresent()).isFalse();
      assertThat(victim > 0 || !Jobs.processes(spark, 2).equals(executors)).isTrue();
      check(sums.mapValues(sum -> sum).collect());
      return Jobs.counters(spark, 2);
    }
  }

  private static JavaPairRDD<Integer, Long> sums(JavaSparkContext spark) {
    return spark
        .parallelize(IntStream.range(0, PARTITIONS).boxed().toList(), PARTITIONS)
        .flatMapToPair(
            part ->
                IntStream.range(0, PER_PARTITION)
                    .mapToObj(n -> new Tuple2<>(n, (long) part))
                    .iterator())
        .partitionBy(new HashPartitioner(PARTITIONS));
  }

  /** Each number is there once for each part. */
  private static void check(List<Tuple2<Integer, Long>> all) {
    assertThat(all).hasSize(PARTITIONS * PER_PARTITION);
    assertThat(all.stream().distinct()).hasSize(PARTITIONS * PER_PARTITION);
  }

  /** Kills a process, or kills or stops the executor that is not this one. */
  private static void end(long victim, Set<Long> executors)
      throws IOException, InterruptedException {
    long own = ProcessHandle.current().pid();
    long dying =
        victim > 0
            ? victim
            : executors.stream().filter(pid -> pid != own).findFirst().orElseThrow();
    if (victim == STOP) {
      new ProcessBuilder("kill", "-STOP", String.valueOf(dying)).start().waitFor();
    } else {
      ProcessHandle process = ProcessHandle.of(dying).orElseThrow();
      process.destroyForcibly();
      process.onExit().join();
    }
  }
}
