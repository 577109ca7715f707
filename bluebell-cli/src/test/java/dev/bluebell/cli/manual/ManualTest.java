package dev.bluebell.cli.manual;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.cli.Cli;
import dev.bluebell.cli.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The man page and the completions contain every command and option. */
class ManualTest {
  private final String page = Cli.run("manual").out();

  @Test
  void thePageHasEveryCommandAndOption() {
    String text = page.replace("\\-", "-");
    for (CommandLine command : commands(Main.commandLine())) {
      assertThat(text).contains(".SS \"" + command.getCommandSpec().qualifiedName() + "\"");
      for (OptionSpec option : command.getCommandSpec().options()) {
        if (!option.hidden()) {
          assertThat(text).contains("\\fB" + String.join(", ", option.names()));
        }
      }
    }
  }

  @Test
  void noTextIsMistakenForATroffRequest() {
    assertThat(page.lines().filter(line -> line.startsWith(".") || line.startsWith("'")))
        .allMatch(line -> line.matches("\\.(TH|SH|SS|TP|PP|br)( .*)?"));
    assertThat(page).doesNotContain("%n").doesNotContain("%%").doesNotContain("${");
  }

  @Test
  void aShellCompletesCommandsAndOptions(@TempDir Path folder)
      throws IOException, InterruptedException {
    Path script = Files.writeString(folder.resolve("completion"), Cli.run("completion").out());
    assertThat(completed(script, "bluebell", "devi")).containsExactly("devinfo");
    assertThat(completed(script, "bluebell", "run", "--map")).containsExactly("--map-memory");
  }

  private static List<String> completed(Path script, String... words)
      throws IOException, InterruptedException {
    String line =
        "source \"$1\"; shift; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _complete_bluebell;"
            + " printf '%s\\n' \"${COMPREPLY[@]}\"";
    List<String> command = new ArrayList<>(List.of("bash", "-c", line, "bash", script.toString()));
    command.addAll(List.of(words));
    Process bash =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String output = new String(bash.getInputStream().readAllBytes(), UTF_8);
    assertThat(bash.waitFor()).as(output).isZero();
    return output.lines().map(String::strip).toList();
  }

  private static List<CommandLine> commands(CommandLine command) {
    List<CommandLine> found = new ArrayList<>();
    for (CommandLine each : command.getSubcommands().values()) {
      found.add(each);
      found.addAll(commands(each));
    }
    return found;
  }
}
