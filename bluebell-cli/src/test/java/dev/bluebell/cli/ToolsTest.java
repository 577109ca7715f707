package dev.bluebell.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The scripts in {@code tools}, in a folder whose name has a blank, with stand-ins for commands.
 */
class ToolsTest {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();

  /** The commands of the system that the scripts need. */
  private static final List<String> COMMANDS =
      List.of(
          "awk",
          "basename",
          "cat",
          "cp",
          "dirname",
          "env",
          "find",
          "grep",
          "head",
          "ln",
          "mkdir",
          "mktemp",
          "mv",
          "readlink",
          "rm",
          "sed",
          "seq",
          "sh",
          "sleep",
          "tail",
          "timeout",
          "touch");

  @TempDir private Path scratch;
  private Path root;
  private Path bin;

  private record Ended(int code, String output) {}

  @BeforeEach
  void copyTheScripts() throws IOException {
    root = Files.createDirectory(scratch.resolve("a clone"));
    bin = Files.createDirectory(scratch.resolve("bin"));
    for (String command : COMMANDS) {
      Path usual = Path.of("/usr/bin", command);
      script(
          bin.resolve(command),
          "exec %s \"$@\"".formatted(Files.exists(usual) ? usual : Path.of("/bin", command)));
    }
    for (String file :
        List.of(
            "benchmarks/common.sh",
            "benchmarks/programs",
            "compatibility/programs",
            "help.sh",
            "jdk.sh",
            "lab")) {
      Path copy = root.resolve("tools").resolve(file);
      Files.createDirectories(copy.getParent());
      Path unused = Files.copy(ROOT.resolve("tools").resolve(file), copy);
    }
  }

  private static void script(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n" + text + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  private Ended run(String tool, String... words) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(List.of("/bin/sh", root.resolve("tools").resolve(tool).toString()));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("PATH", bin.toString());
    builder.environment().put("BLUEBELL_JAVA_HOME", scratch.resolve("25").toString());
    builder.environment().remove("JAVA_HOME");
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Ended(process.waitFor(), output);
  }

  private Path jdk(String java) throws IOException {
    Path jdk = scratch.resolve("25");
    for (String program : List.of("java", "javac")) {
      script(jdk.resolve("bin").resolve(program), java);
    }
    return Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25\"\n").getParent();
  }

  @Test
  void programsOfOthersRun() throws Exception {
    script(root.resolve("bluebell"), "exit 0");
    assertThat(run("compatibility/programs", "ibv_rc_pingpong -g 0 -c"))
        .isEqualTo(new Ended(0, "ok      ibv_rc_pingpong -g 0 -c\n"));
  }

  @Test
  void withoutMavenTheWrapperBuilds() throws Exception {
    Path jdk = jdk("echo java \"$@\"");
    Files.writeString(root.resolve("pom.xml"), "");
    Files.createDirectory(root.resolve("bluebell-lab"));
    script(root.resolve("mvnw"), "echo wrapper \"$JAVA_HOME $JAVA25_HOME\" \"$@\"");
    Ended ended = run("lab", "litmus");
    assertThat(ended.output())
        .contains("wrapper %s %s ".formatted(jdk, jdk))
        .contains("-pl bluebell-lab -am package\n")
        .endsWith("dev.bluebell.lab.Main litmus\n");
    assertThat(ended.code()).isZero();
  }

  @Test
  @Tag("slow")
  void theFirstCommandAfterGccIsInstalledBuildsThePreloadLibrary() throws Exception {
    Path jdk = jdk("exit 0");
    Path unused = Files.copy(ROOT.resolve("bluebell"), root.resolve("bluebell"));
    Files.writeString(root.resolve("pom.xml"), "");
    Path maven = bin.resolve("mvn");
    String build =
        "mkdir -p bluebell-cli/target/lib; cd bluebell-cli/target; : >bluebell-cli-1.jar;"
            + " : >lib/bluebell-uverbs-1.jar; echo build >>\"$JAVA25_HOME/builds\"";
    script(maven, build);
    Path builds = jdk.resolve("builds");
    for (int command = 0; command < 2; command++) {
      assertThat(run("../bluebell", "doctor").code()).isZero();
      assertThat(builds).hasContent("build");
    }
    script(bin.resolve("gcc"), "exit 0");
    script(maven, "exit 1");
    assertThat(run("../bluebell", "doctor").code()).as("the build fails").isEqualTo(1);
    script(maven, build);
    for (int command = 0; command < 2; command++) {
      assertThat(run("../bluebell", "doctor").code()).isZero();
      assertThat(builds).hasContent("build\nbuild");
    }
  }

  @Test
  void aBenchmarkThatFailsPrintsNoFigures() throws Exception {
    script(bin.resolve("sleep"), "exit 0");
    script(
        root.resolve("bluebell"),
        "case \"$*\" in *localhost*) echo no device; exit 1 ;; perf*) echo '{\"p50\":1}' ;; esac");
    Ended ended = run("benchmarks/programs");
    assertThat(ended.output())
        .contains("programs: ib_write_bw -s 32 -D 3 failed: no device")
        .doesNotContain("|");
    assertThat(ended.code()).isEqualTo(1);
  }
}
