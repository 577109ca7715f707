package dev.bluebell.spark;

import java.time.Duration;
import org.apache.spark.SparkConf;

/**
 * The settings of this shuffle in Spark's configuration.
 *
 * @param device name of the device that each executor opens
 * @param bindAddress where executors listen for connections; empty for the address that Spark
 *     advertises for the executor
 * @param port TCP port for connections; 0 for any
 * @param connectionsPerPeer queue pairs to each other executor
 * @param maxConnections maximum number of queue pairs of an executor in each direction
 * @param bufferBytes maximum memory for blocks that were read and are not consumed yet
 * @param maxFiles map output files that stay registered when no peer reads them
 * @param retryInterval time before retrying a device that cannot be opened, or a peer that cannot
 *     be reached
 * @param timeout maximum time without progress of a peer that was asked; zero or less for no limit,
 *     as in Spark
 */
record Settings(
    String device,
    String bindAddress,
    int port,
    int connectionsPerPeer,
    int maxConnections,
    long bufferBytes,
    int maxFiles,
    Duration retryInterval,
    Duration timeout) {

  Settings {
    require(connectionsPerPeer >= 1, "connectionsPerPeer", connectionsPerPeer);
    require(maxConnections >= 1 && maxConnections <= 4096, "maxConnections", maxConnections);
    require(bufferBytes >= 1 << 20, "bufferMemory", bufferBytes);
    require(maxFiles >= 1, "maxFiles", maxFiles);
    require(retryInterval.isPositive(), "retryInterval", retryInterval.toMillis());
  }

  static Settings of(SparkConf conf) {
    return new Settings(
        conf.get("spark.bluebell.device", "soft"),
        conf.get("spark.bluebell.bindAddress", ""),
        conf.getInt("spark.bluebell.port", 0),
        conf.getInt("spark.bluebell.connectionsPerPeer", 2),
        conf.getInt("spark.bluebell.maxConnections", 256),
        conf.getSizeAsBytes("spark.bluebell.bufferMemory", "512m"),
        conf.getInt("spark.bluebell.maxFiles", 4096),
        Duration.ofMillis(conf.getTimeAsMs("spark.bluebell.retryInterval", "10s")),
        // That of Spark's own transfer.
        Duration.ofSeconds(
            conf.getTimeAsSeconds(
                "spark.shuffle.io.connectionTimeout", conf.get("spark.network.timeout", "120s"))));
  }

  private static void require(boolean fits, String key, long value) {
    if (!fits) {
      throw new IllegalArgumentException(
          "spark.bluebell.%s is out of range: %d".formatted(key, value));
    }
  }
}
