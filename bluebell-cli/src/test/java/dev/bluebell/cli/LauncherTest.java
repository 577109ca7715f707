package dev.bluebell.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./bluebell} reports missing requirements and finds the installed ones. */
class LauncherTest {
  private static final Pattern LIBRARY = Pattern.compile("(?m)^library=(\\S+)$");

  @TempDir private Path jdk;

  @Test
  void sourceFilesRunWithModulesThatExist() throws IOException {
    Matcher library = LIBRARY.matcher(Files.readString(Path.of("../bluebell")));
    assertThat(library.find()).isTrue();
    assertThat(library.group(1).split(","))
        .hasSizeGreaterThan(2)
        .allMatch(module -> ModuleFinder.of(classes(module)).find(module).isPresent());
  }

  private static Path classes(String module) {
    return Path.of("..", module.replace("dev.", "").replace('.', '-'), "target", "classes");
  }

  /** A built clone, with a JDK that prints its arguments instead of running Java. */
  private Path clone(String... files) throws IOException {
    Path root = Files.createDirectories(jdk.resolve("clone"));
    Files.createDirectories(root.resolve(".bluebell"));
    Files.writeString(root.resolve(".bluebell/built"), "");
    Path home = Files.createDirectories(jdk.resolve("25"));
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"25\"\n");
    for (String script : List.of("25/bin/java", "25/bin/javac", "clone/tools/distribution/make")) {
      Path file = jdk.resolve(script);
      Files.createDirectories(file.getParent());
      Files.writeString(file, "#!/bin/sh\necho %s \"$@\"\n".formatted(file.getFileName()));
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }
    for (String file : files) {
      Files.copy(Path.of("..", file), root.resolve(file));
    }
    return root;
  }

  private String launch(Path root, String... words) throws IOException, InterruptedException {
    return launch(0, root, words);
  }

  private String launch(int code, Path root, String... words)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("sh", root.resolve("bluebell").toString()));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("BLUEBELL_JAVA_HOME", jdk.resolve("25").toString());
    builder.environment().merge("PATH", jdk.resolve("25/bin") + ":", (old, own) -> own + old);
    builder.environment().keySet().removeAll(List.of("BLUEBELL_JAVA_OPTS", "CLASSPATH"));
    Process launcher = builder.redirectErrorStream(true).start();
    String output = new String(launcher.getInputStream().readAllBytes(), UTF_8);
    assertThat(launcher.waitFor()).as(output).isEqualTo(code);
    return output.lines().toList().getLast();
  }

  @Test
  void aSourceFileThatIsNotThereIsNamed() throws IOException, InterruptedException {
    Path root = clone("bluebell", "tools/jdk.sh");
    String there = Files.writeString(root.resolve("First.java"), "").toString();
    assertThat(launch(root, "java", "-Dx=y.java", there, "Other.java"))
        .endsWith("-Dx=y.java %s Other.java".formatted(there));
    assertThat(launch(root, "java", "-m", "a/A", "Nope.java")).endsWith("-m a/A Nope.java");
    assertThat(launch(1, root, "java", "-Dx=y.java", "Nope.java", there))
        .isEqualTo("bluebell: there is no file Nope.java.");
    assertThat(launch(root, "java", "@options", there)).endsWith("@options " + there);
  }

  /** Makes the lock of a build, and replaces the pause between two looks at it. */
  private Path lockedClone(String holder, String pause) throws IOException {
    Path root = clone("bluebell", "tools/jdk.sh").toRealPath();
    Path sleep = Files.writeString(jdk.resolve("25/bin/sleep"), "#!/bin/sh\n" + pause + "\n");
    Files.setPosixFilePermissions(sleep, PosixFilePermissions.fromString("rwx------"));
    return Files.createSymbolicLink(root.resolve(".bluebell/lock"), Path.of(holder)).getParent();
  }

  @Test
  void aCommandWaitsForTheBuildOfAnotherAndThenRuns() throws IOException, InterruptedException {
    String stat = Files.readString(Path.of("/proc/self/stat"));
    String started = stat.substring(stat.lastIndexOf(") ") + 2).split(" ", -1)[19];
    Path state =
        lockedClone(
            ProcessHandle.current().pid() + "-" + started,
            "rm '%s'".formatted(jdk.resolve("clone/.bluebell/lock")));
    assertThat(launch(state.getParent(), "demo")).endsWith("Main demo");
    assertThat(state.resolve("lock")).doesNotExist();
  }

  @Test
  void theLockOfAProcessThatHasEndedIsRemoved() throws IOException, InterruptedException {
    // Its number is that of another process now, which started later.
    Path state = lockedClone(ProcessHandle.current().pid() + "-1", ":");
    assertThat(launch(state.getParent(), "demo")).endsWith("Main demo");
    assertThat(state.resolve("lock")).doesNotExist();
  }

  @Test
  void aNameThatIsNoSourceFileIsWrongUsage() throws IOException, InterruptedException {
    Path root = clone("bluebell", "tools/jdk.sh");
    assertThat(launch(2, root, "java", "Copy"))
        .isEqualTo("bluebell: 'Copy' is not a Java source file: its name must end with .java");
    assertThat(launch(2, root, "java")).startsWith("bluebell: name a Java source file");
  }

  @Test
  void helpOfTheScriptsOwnCommandsIsThatOfAllCommands() throws IOException, InterruptedException {
    Path root = clone("bluebell", "tools/jdk.sh");
    assertThat(launch(root, "dist", "--help")).startsWith("java ").endsWith("Main dist --help");
    assertThat(launch(root, "java", "-h")).startsWith("java ").endsWith("Main java -h");
    String help = Cli.run("help").out();
    assertThat(help).contains("  java ", "  dist ", "  conformance ");
    assertThat(Cli.run("dist", "--help").out()).contains("./bluebell dist [FOLDER]");
    assertThat(Cli.run("java", "--help").out()).contains("./bluebell java [JVM OPTIONS] FILE");
  }

  @Test
  void aDistributionIsWrittenBelowTheOutputOfTheBuild() throws IOException, InterruptedException {
    Path root = clone("bluebell", "tools/jdk.sh").toRealPath();
    assertThat(launch(root, "dist"))
        .isEqualTo(
            "make %s %s/.bluebell/app %s/target/distribution"
                .formatted(jdk.resolve("25"), root, root));
    assertThat(launch(root, "dist", "/tmp/elsewhere")).endsWith(" /tmp/elsewhere");
  }

  @Test
  void theScriptsOwnCommandsNeedTheSources() {
    Cli cli = Cli.run("java", "--enable-preview", "First.java");
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err())
        .startsWith("bluebell: 'java --enable-preview First.java' works only as ./bluebell in");
  }

  @Test
  void anOlderJdkIsRefused() throws IOException, InterruptedException {
    Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"17.0.9\"\n");
    Path bin = Files.createDirectory(jdk.resolve("bin"));
    for (String program : List.of("java", "javac")) {
      Path file = Files.writeString(bin.resolve(program), "#!/bin/sh\nexit 1\n");
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }
    ProcessBuilder builder = new ProcessBuilder("sh", "../bluebell", "devinfo");
    builder.environment().put("BLUEBELL_JAVA_HOME", jdk.toString());
    Process launcher = builder.redirectErrorStream(true).start();
    String output = new String(launcher.getInputStream().readAllBytes(), UTF_8);
    assertThat(launcher.waitFor()).isEqualTo(1);
    assertThat(output)
        .isEqualTo(
            "bluebell: BLUEBELL_JAVA_HOME names %s, which is not a JDK of version 25 or later; set it to the home of one, or unset it.\n"
                .formatted(jdk));
  }
}
