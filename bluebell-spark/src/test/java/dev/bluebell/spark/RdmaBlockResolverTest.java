package dev.bluebell.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RdmaBlockResolverTest {
  private static final int SHUFFLE = 7;
  private static final long MAP = 8;

  /** A request that comes in between would register the file again, until its executor ends. */
  @Test
  @Tag("slow")
  void aFileIsForgottenAfterItWasDeleted(@TempDir Path folder) throws Exception {
    SparkConf conf =
        new SparkConf(false)
            .setMaster("local[1]")
            .setAppName("resolver")
            .set("spark.ui.enabled", "false")
            .set("spark.local.dir", folder.toString());
    try (JavaSparkContext unused = new JavaSparkContext(conf)) {
      List<Boolean> existed = new ArrayList<>();
      List<File> files = new ArrayList<>();
      RdmaBlockResolver resolver =
          new RdmaBlockResolver(
              conf,
              new ConcurrentHashMap<>(),
              () -> {
                existed.add(files.getFirst().exists());
                return null;
              },
              () -> null);
      files.add(resolver.getDataFile(SHUFFLE, MAP));
      Files.write(files.getFirst().toPath(), new byte[1]);
      resolver.removeDataByMap(SHUFFLE, MAP);
      assertThat(existed).containsExactly(false);
    }
  }
}
