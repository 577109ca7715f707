package dev.bluebell.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Option;

/** Configurations that exclude RDMA. */
class RdmaShuffleManagerTest {
  private static SparkConf conf() {
    return new SparkConf(false).set("spark.app.id", "test");
  }

  @ParameterizedTest
  @Tag("slow")
  @ValueSource(
      strings = {
        "spark.shuffle.service.enabled",
        "spark.network.crypto.enabled",
        "spark.authenticate.enableSaslEncryption",
        "spark.ssl.rpc.enabled",
        "spark.io.encryption.enabled"
      })
  void shufflesThatRdmaCannotServeUseSparksTransferAndAreReportedOnce(String key)
      throws IOException {
    try (LogLines log = new LogLines()) {
      RdmaShuffleManager manager = new RdmaShuffleManager(conf().set(key, "true"));
      for (int i = 0; i < 3; i++) {
        Endpoint endpoint =
            Endpoint.of(
                manager
                    .shuffleBlockResolver()
                    .getBlockData(Endpoint.BLOCK, Option.empty())
                    .nioByteBuffer());
        assertThat(endpoint.port()).isZero();
      }
      manager.stop();
      assertThat(log.all()).singleElement().asString().contains(key);
    }
  }

  @Test
  void pushBasedShuffleNeedsTheServiceThatIsExcluded() {
    try (LogLines log = new LogLines()) {
      new RdmaShuffleManager(
              conf()
                  .set("spark.shuffle.push.enabled", "true")
                  .set("spark.shuffle.service.enabled", "true"))
          .stop();
      assertThat(log.all()).singleElement().asString().contains("external shuffle service");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "connectionsPerPeer",
        "maxConnections",
        "bufferMemory",
        "maxFiles",
        "retryInterval"
      })
  void aSettingThatIsOutOfRangeIsNamed(String name) {
    String key = "spark.bluebell." + name;
    assertThatThrownBy(() -> new RdmaShuffleManager(conf().set(key, "0")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(key);
  }

  @Test
  @Tag("slow")
  void aJobRunsWithSparksTransferWhereTheJvmDeniesAccessToNativeMemory(@TempDir Path folder)
      throws Exception {
    List<String> command = new ArrayList<>(List.of(LocalCluster.java()));
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> option.matches("--(add-opens|add-modules|sun-misc-unsafe).*"))
        .forEach(command::add);
    command.addAll(
        List.of(
            "--illegal-native-access=deny",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            DeniedAccess.class.getName(),
            folder.toString()));
    Path log = folder.resolve("log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    int status = process.waitFor();
    assertThat(log)
        .content()
        .contains("device soft can't be used: this JVM denies access to native memory");
    assertThat(status).isZero();
  }
}
