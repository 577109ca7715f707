package dev.bluebell.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The programs of each guide, and those of docs/programs.md, are run from their sources, as readers
 * run them, and print the output on the page.
 */
@Tag("slow")
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

  /** The guide whose program runs as two processes. */
  private static final Path OF_TWO_PROCESSES = DOCS.resolve("guides/nic-program.md");

  private static final Pattern PROGRAM_OF_TWO_PROCESSES =
      Pattern.compile(
          "```java\n"
              + "(.*?)```\n\n"
              + "Save it as `Dictionary\\.java`.*The client prints:\n\n"
              + "```\n"
              + "(.*?)```",
          Pattern.DOTALL);

  @TempDir Path folder;

  static List<Path> pages() throws IOException {
    try (Stream<Path> guides = Files.list(DOCS.resolve("guides"))) {
      return Stream.concat(Stream.of(DOCS.resolve("programs.md")), guides.sorted())
          .filter(page -> !page.equals(OF_TWO_PROCESSES))
          .toList();
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
  void theProgramsOfAGuidePrintWhatThePageSays(Path page) throws IOException, InterruptedException {
    List<MatchResult> programs = PROGRAM.matcher(Files.readString(page)).results().toList();
    assertThat(programs).isNotEmpty();
    for (MatchResult program : programs) {
      Path source = Files.writeString(folder.resolve(program.group(2) + ".java"), program.group(1));
      Process java = start(source);
      assertThat(java.inputReader(UTF_8).readAllAsString()).isEqualTo(program.group(3));
      assertThat(java.waitFor()).isZero();
    }
  }

  @Test
  void theHostAndTheClientOfANicProgramPrintWhatThePageSays()
      throws IOException, InterruptedException {
    Matcher program = PROGRAM_OF_TWO_PROCESSES.matcher(Files.readString(OF_TWO_PROCESSES));
    assertThat(program.find()).isTrue();
    Path source = folder.resolve("Dictionary.java");
    Files.writeString(source, program.group(1).replace("port = 18600", "port = " + freePort()));
    try (SharedDevice device = new SharedDevice(folder)) {
      Process host = start(source, "host", device.name());
      BufferedReader printed = host.inputReader(UTF_8);
      assertThat(printed.readLine()).isEqualTo("Waiting for the client.");
      Process client = start(source, "client", device.name());
      assertThat(client.inputReader(UTF_8).readAllAsString()).isEqualTo(program.group(2));
      assertThat(client.waitFor()).isZero();
      assertThat(printed.readAllAsString()).isEqualTo("The client has ended.\n");
      assertThat(host.waitFor()).isZero();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  private static Process start(Path source, String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--class-path",
                classPath(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                source.toString()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }
}
