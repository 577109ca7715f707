package dev.bluebell.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs whose executors are separate processes. */
class ShuffleJobTest {
  /** An executor that lives for seconds is done sooner without the optimising JIT. */
  private static final String SHORT_LIVED =
      "--enable-native-access=ALL-UNNAMED -XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

  @Test
  @Tag("slow")
  void blocksAreReadByRdmaAndTheResultsAreRight(@TempDir Path folder) throws IOException {
    try (DeviceProcess process = new DeviceProcess(folder);
        JavaSparkContext spark =
            new JavaSparkContext(
                LocalCluster.withRdma(
                    LocalCluster.configure(folder, 2, 1, 1024)
                        .set("spark.executor.extraJavaOptions", SHORT_LIVED),
                    process.device()))) {
      Jobs.sort(spark, 7, 4, 5000);
      Jobs.group(spark, 4, 5000, 100);
      Jobs.join(spark, 4, 1000);

      Map<String, Long> counters = Jobs.counters(spark, 2);
      assertThat(counters.get("blocksByRdma")).isPositive();
      assertThat(counters.get("bytesByRdma")).isGreaterThan(4 * 5000 * Jobs.VALUE_BYTES / 4);
      assertThat(counters.get("registrations")).isPositive();
      assertThat(counters).containsEntry("blocksByFallback", 0L);
    }
  }

  @Test
  @Tag("long")
  void bothExecutorsReportAMissingDeviceOnce(@TempDir Path folder) throws IOException {
    try (DeviceProcess process = new DeviceProcess(folder)) {
      SparkConf conf =
          LocalCluster.withDevices(
                  LocalCluster.configure(folder, 2, 1, 1024),
                  folder,
                  process.device(),
                  "socket:" + folder.resolve("none"))
              .set("spark.bluebell.retryInterval", "1h");
      String application;
      try (JavaSparkContext spark = new JavaSparkContext(conf)) {
        application = spark.sc().applicationId();
        Jobs.group(spark, 4, 5000, 100);
        Jobs.group(spark, 4, 5000, 100);

        assertThat(Jobs.counters(spark, 2)).containsEntry("blocksByRdma", 0L);
      }
      assertThat(LocalCluster.warnings(application, 0))
          .singleElement()
          .asString()
          .contains(
              "Blocks of executor 1", "are fetched by Spark's own transfer: it has no device");
      assertThat(LocalCluster.warnings(application, 1))
          .singleElement()
          .asString()
          .contains("Spark's own transfer fetches the shuffle blocks of this executor");
    }
  }

  @Test
  @Tag("long")
  void noBlockIsReadByRdmaWithEncryption(@TempDir Path folder) throws IOException {
    try (DeviceProcess process = new DeviceProcess(folder)) {
      SparkConf conf =
          LocalCluster.withRdma(LocalCluster.configure(folder, 2, 1, 1024), process.device())
              .set("spark.authenticate", "true")
              .set("spark.authenticate.secret", "secret")
              .set("spark.network.crypto.enabled", "true");
      String application;
      try (JavaSparkContext spark = new JavaSparkContext(conf)) {
        application = spark.sc().applicationId();
        Jobs.group(spark, 4, 5000, 100);

        assertThat(Jobs.counters(spark, 2)).containsEntry("blocksByRdma", 0L);
      }
      for (int executor = 0; executor < 2; executor++) {
        assertThat(LocalCluster.warnings(application, executor))
            .singleElement()
            .asString()
            .contains("encryption is enabled (spark.network.crypto.enabled)");
      }
    }
  }

  @Test
  @Tag("long")
  void executorsOnTwoDevicesReadOverTheNetwork(@TempDir Path folder) throws IOException {
    Path one = Files.createDirectory(folder.resolve("one"));
    Path other = Files.createDirectory(folder.resolve("other"));
    try (DeviceProcess first = new DeviceProcess(one, "listen=" + TwoExecutors.address(6));
        DeviceProcess second = new DeviceProcess(other, "listen=" + TwoExecutors.address(7));
        JavaSparkContext spark =
            new JavaSparkContext(
                LocalCluster.withDevices(
                    LocalCluster.configure(folder, 2, 1, 1024),
                    folder,
                    first.device(),
                    second.device()))) {
      Jobs.sort(spark, 7, 4, 5000);
      Jobs.join(spark, 4, 1000);

      Map<String, Long> counters = Jobs.counters(spark, 2);
      assertThat(counters.get("blocksByRdma")).isPositive();
      assertThat(counters).containsEntry("blocksByFallback", 0L);
    }
  }
}
