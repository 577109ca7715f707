package dev.bluebell.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Only the subcommands that a command line needs are created. */
class MainTest {
  static Stream<String> commands() {
    return Main.commandLine().getSubcommands().keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void aCommandHasTheSameHelpWithoutTheOthers(String name) {
    CommandLine alone = Main.commandLineFor(name, "--help");
    assertThat(alone.getSubcommands().get(name).getUsageMessage())
        .isEqualTo(Main.commandLine().getSubcommands().get(name).getUsageMessage());
  }

  @Test
  void aCommandLineThatNamesACommandGetsNoOthers() {
    assertThat(Main.commandLineFor("perf", "write").getSubcommands())
        .containsOnlyKeys("perf", "help");
  }

  @Test
  void allOtherCommandLinesGetAll() {
    String[] all = commands().toArray(String[]::new);
    assertThat(Main.commandLineFor().getSubcommands()).containsOnlyKeys(all);
    assertThat(Main.commandLineFor("--verbose", "perf").getSubcommands()).containsOnlyKeys(all);
    assertThat(Main.commandLineFor("help", "perf").getSubcommands()).containsOnlyKeys(all);
    assertThat(Main.commandLineFor("prf").getSubcommands()).containsOnlyKeys(all);
    assertThat(Main.commandLineFor("manual").getSubcommands()).containsOnlyKeys(all);
  }
}
