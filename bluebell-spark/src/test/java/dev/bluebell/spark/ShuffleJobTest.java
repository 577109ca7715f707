package dev.bluebell.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs whose executors are processes of their own. */
class ShuffleJobTest {
  @Test
  void blocksAreReadByRdmaAndTheResultsAreRight(@TempDir Path folder) throws IOException {
    try (DeviceProcess process = new DeviceProcess(folder);
        JavaSparkContext spark =
            new JavaSparkContext(
                LocalCluster.withRdma(
                    LocalCluster.configure(folder, 2, 1, 1024), process.device()))) {
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
}
