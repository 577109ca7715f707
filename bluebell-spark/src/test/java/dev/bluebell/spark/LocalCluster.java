package dev.bluebell.spark;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.SparkConf;

/** Configures Spark to run executors as processes of this machine. */
final class LocalCluster {
  private LocalCluster() {}

  /**
   * A configuration in which executors fetch blocks from each other: by default Spark reads the
   * files of executors on the same machine itself.
   *
   * @param home an empty folder, which stands for an installation of Spark
   */
  static SparkConf configure(Path home, int executors, int cores, int megabytes)
      throws IOException {
    Files.createDirectories(home.resolve("jars"));
    // Where this is set, Spark looks for jars there first, and starts no executor without the
    // folder.
    String installation = System.getenv("SPARK_HOME");
    if (installation != null) {
      Files.createDirectories(Path.of(installation, "jars"));
    }
    return new SparkConf()
        .setAppName("bluebell")
        .setMaster("local-cluster[%d,%d,%d]".formatted(executors, cores, megabytes))
        .setSparkHome(home.toString())
        .set("spark.executor.memory", megabytes + "m")
        .set("spark.executor.extraClassPath", System.getProperty("java.class.path"))
        .set("spark.executor.extraJavaOptions", "--enable-native-access=ALL-UNNAMED")
        .set("spark.local.dir", home.resolve("local").toString())
        .set("spark.driver.host", "127.0.0.1")
        .set("spark.driver.bindAddress", "127.0.0.1")
        .set("spark.ui.enabled", "false")
        // Tasks of the first stage run on all executors.
        .set("spark.scheduler.minRegisteredResourcesRatio", "1.0")
        .set("spark.scheduler.maxRegisteredResourcesWaitingTime", "120s")
        .set("spark.shuffle.readHostLocalDisk", "false");
  }

  /** The same with blocks read by RDMA. */
  static SparkConf withRdma(SparkConf conf, String device) {
    return conf.set("spark.shuffle.manager", RdmaShuffleManager.class.getName())
        .set("spark.bluebell.device", device);
  }

  /**
   * The same, where each executor has a device of its own.
   *
   * @param home an empty folder
   */
  static SparkConf withDevices(SparkConf conf, Path home, String... devices) throws IOException {
    for (int executor = 0; executor < devices.length; executor++) {
      Files.writeString(
          home.resolve("options-" + executor), "-Dspark.bluebell.device=" + devices[executor]);
    }
    // Spark forbids its options here, other than in a file, but knows which executor it starts.
    return conf.set("spark.shuffle.manager", RdmaShuffleManager.class.getName())
        .set(
            "spark.executor.extraJavaOptions",
            "--enable-native-access=ALL-UNNAMED @" + home.resolve("options-{{EXECUTOR_ID}}"));
  }

  /**
   * Warnings of the shuffle of an executor.
   *
   * @param application its ID
   */
  static List<String> warnings(String application, int executor) throws IOException {
    Path log =
        Path.of(System.getenv("SPARK_HOME"), "work", application)
            .resolve(String.valueOf(executor))
            .resolve("stderr");
    return Files.readAllLines(log).stream()
        .filter(line -> line.contains(" WARN ") && line.contains("Spark's own transfer"))
        .toList();
  }

  /** Command that runs a class with this class path. */
  static String java() {
    return System.getProperty("java.home") + File.separator + "bin" + File.separator + "java";
  }
}
