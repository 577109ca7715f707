package dev.bluebell.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Every command answers wrong usage with one sentence and exit code 2. */
class WrongUsageTest {
  private static final Set<Class<?>> NUMBERS =
      Set.of(int.class, long.class, double.class, Integer.class, Long.class, Double.class);

  static Stream<String> commands() {
    List<String> names = new ArrayList<>();
    collect(Main.commandLine(), names);
    return names.stream();
  }

  private static void collect(CommandLine command, List<String> names) {
    for (CommandLine each : command.getSubcommands().values()) {
      names.add(each.getCommandSpec().qualifiedName().replaceFirst("^bluebell ", ""));
      collect(each, names);
    }
  }

  private static CommandSpec spec(String name) {
    CommandLine command = Main.commandLine();
    for (String word : name.split(" ")) {
      command = command.getSubcommands().get(word);
    }
    return command.getCommandSpec();
  }

  private static void requireWrong(String name, String... words) {
    List<String> all = new ArrayList<>(List.of(name.split(" ")));
    all.addAll(Arrays.asList(words));
    Cli cli = Cli.run(all.toArray(String[]::new));
    assertThat(cli.exitCode()).as("%s: %s", all, cli.err()).isEqualTo(2);
    assertThat(cli.err()).as(all.toString()).startsWith("bluebell: ").doesNotContain("\tat ");
    assertThat(cli.out()).as(all.toString()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void anUnknownOptionIsWrongUsage(String name) {
    requireWrong(name, "--no-such-option");
  }

  @ParameterizedTest
  @MethodSource("commands")
  void aSurplusArgumentIsWrongUsage(String name) {
    CommandSpec spec = spec(name);
    if (spec.positionalParameters().isEmpty() && spec.subcommands().isEmpty()) {
      requireWrong(name, "surplus");
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void aWordForANumberIsWrongUsage(String name) {
    for (OptionSpec option : spec(name).options()) {
      if (NUMBERS.contains(option.type())) {
        requireWrong(name, option.longestName(), "many");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "program list",
        "program install lock",
        "program call lock",
        "program diagnose lock --token 0",
        "program remove lock --token 0"
      })
  void anUnknownDeviceIsWrongUsageForCommandsOfInstalledProgramsToo(String command) {
    requireWrong(command, "--device", "nosuch");
    assertThat(Cli.run((command + " --device nosuch").split(" ")).err())
        .contains("there is no device 'nosuch'");
  }

  @Test
  void aMistypedChoiceIsWrongUsageWithASuggestion() {
    requireWrong("perf", "wirte");
    assertThat(Cli.run("perf", "wirte").err()).contains("not 'wirte'; did you mean 'write'?");
    assertThat(Cli.run("perf", "everything").err()).doesNotContain("did you mean");
  }

  /** As run and serve have, beside commands that take any device. */
  @ParameterizedTest
  @CsvSource({
    "stat --socket /tmp/a.sock -n 1,/tmp/a.sock",
    "stat --socket=/tmp/a.sock,/tmp/a.sock",
    "stat --socket,PATH"
  })
  void aSocketOfACommandWithADeviceIsPartOfItsName(String command, String path) {
    Cli cli = Cli.run(command.split(" "));
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err())
        .containsPattern(
            "there is no option '--socket.*'; name the device process with --device socket:"
                + path);
  }

  @Test
  void oneFileForTwoOutputsIsWrongUsage(@TempDir Path folder) {
    String file = folder.resolve("out").toString();
    String same = folder.resolve("./out").toString();
    requireWrong("run", "--trace", file, "--report", same, "--", "true");
    requireWrong("run", "--explain-file", file, "--trace", file, "--", "true");
    requireWrong("trace", "--output", file, "--svg", same);
    assertThat(folder).isEmptyDirectory();
    assertThat(Cli.run("trace", "--output", "/dev/null", "--svg", "/dev/null").exitCode()).isZero();
  }

  @Test
  void aSocketAtWhichNoProcessCanListenIsWrongUsage() {
    requireWrong("serve", "--socket", "");
    String path = "/tmp/" + "x".repeat(103);
    requireWrong("serve", "--socket", path);
    assertThat(Cli.run("serve", "--socket", path).err())
        .contains("has 108 bytes, and the path of a socket has at most 107");
  }

  @Test
  void anUnknownCommandIsWrongUsage() {
    requireWrong("no-such-command");
    requireWrong("program no-such-command");
    requireWrong("help no-such-command");
    requireWrong("program");
  }

  @ParameterizedTest
  @MethodSource("commands")
  void anUnknownDeviceIsWrongUsage(String name) {
    boolean takesOne =
        spec(name).options().stream()
            .anyMatch(option -> Arrays.asList(option.names()).contains("--device"));
    // Devices of run, serve and stat are those of device processes, and have other names.
    boolean isProcess =
        Set.of("run", "serve", "stat").contains(name) || name.startsWith("program ");
    if (takesOne && !isProcess) {
      requireWrong(name, "--device", "nope");
      requireWrong(name, "--device", "soft:no-such-option=1");
    }
  }
}
