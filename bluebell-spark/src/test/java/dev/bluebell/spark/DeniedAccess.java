package dev.bluebell.spark;

import java.nio.file.Path;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/** A process that runs a job, although its JVM denies access to native memory. */
final class DeniedAccess {
  private DeniedAccess() {}

  /** Argument: an empty folder. */
  public static void main(String[] arguments) {
    SparkConf conf =
        new SparkConf()
            .setAppName("bluebell")
            .setMaster("local[1]")
            .set("spark.local.dir", Path.of(arguments[0]).resolve("local").toString())
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1")
            .set("spark.ui.enabled", "false");
    try (JavaSparkContext spark = new JavaSparkContext(LocalCluster.withRdma(conf, "soft"))) {
      Jobs.group(spark, 2, 100, 10);
    }
  }
}
