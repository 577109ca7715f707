package dev.bluebell.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The program of each guide, and the first one of docs/programs.md, is run from its source, as
 * readers run it, and prints the output on the page.
 */
class GuidesTest {
  private static final Path DOCS =
      Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolve("../docs");

  private static final Pattern PROGRAM =
      Pattern.compile(
          "```java\n"
              + "(.*?)```\n\n"
              + "Save it as `(\\w+)\\.java` and run it with `\\./bluebell java \\2\\.java`\\.\\sIt"
              + " prints:\n\n"
              + "```\n"
              + "(.*?)```",
          Pattern.DOTALL);

  @TempDir Path folder;

  static List<Path> pages() throws IOException {
    try (Stream<Path> guides = Files.list(DOCS.resolve("guides"))) {
      return Stream.concat(Stream.of(DOCS.resolve("programs.md")), guides.sorted()).toList();
    }
  }

  /** The jars and classes of this test, wherever they are: a source file takes a class path. */
  private static String classPath() {
    return Stream.of("jdk.module.path", "java.class.path")
        .map(System::getProperty)
        .filter(Objects::nonNull)
        .collect(Collectors.joining(File.pathSeparator));
  }

  @ParameterizedTest
  @MethodSource("pages")
  void theProgramOfAGuidePrintsWhatThePageSays(Path page) throws IOException, InterruptedException {
    Matcher program = PROGRAM.matcher(Files.readString(page));
    assertThat(program.find()).isTrue();
    Path source = Files.writeString(folder.resolve(program.group(2) + ".java"), program.group(1));
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
    assertThat(java.inputReader(UTF_8).readAllAsString()).isEqualTo(program.group(3));
    assertThat(java.waitFor()).isZero();
  }
}
