package dev.bluebell.program.install;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first program of docs/programs.md is run as readers run it, from its source. */
class FirstProgramTest {
  private static final Path PAGE =
      Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolve("../docs/programs.md");
  private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  @TempDir Path folder;

  /** The jars and classes of this test, wherever they are: a source file takes a class path. */
  private static String classPath() {
    return Stream.of("jdk.module.path", "java.class.path")
        .map(System::getProperty)
        .filter(Objects::nonNull)
        .collect(Collectors.joining(File.pathSeparator));
  }

  @Test
  void thePageBeginsWithAProgramThatAnswersAsItSays() throws IOException, InterruptedException {
    Matcher block = BLOCK.matcher(Files.readString(PAGE));
    assertThat(block.find()).isTrue();
    Path source = Files.writeString(folder.resolve("Get.java"), block.group(1));
    Process java =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--class-path",
                classPath(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                source.toString())
            .redirectErrorStream(true)
            .start();
    assertThat(java.inputReader(UTF_8).readAllAsString()).isEqualTo("mauve\n");
    assertThat(java.waitFor()).isZero();
  }
}
