package dev.bluebell.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/** The files of docs/ci, which run other projects' programs on the output of 'bluebell dist'. */
class ContinuousIntegrationTest {
  private static final Path DOCS =
      Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent().resolve("docs");
  private static final Pattern COMMAND = Pattern.compile("exec timeout \\d+ bluebell ([a-z]+)");
  private static final Pattern PROGRAM = Pattern.compile("(?m)^ *pair \\d+ (\\w+)");

  private static Map<String, Object> yaml(String file) throws IOException {
    return new Yaml().load(Files.readString(DOCS.resolve("ci").resolve(file)));
  }

  private static Map<?, ?> map(Object value) {
    return (Map<?, ?>) value;
  }

  private static List<?> gitHubSteps() throws IOException {
    Map<?, ?> job = map(map(yaml("github-actions.yml").get("jobs")).get("rdma"));
    return (List<?>) job.get("steps");
  }

  private static String gitHubTests() throws IOException {
    return gitHubSteps().stream()
        .map(ContinuousIntegrationTest::map)
        .filter(step -> step.containsKey("run"))
        .toList()
        .getLast()
        .get("run")
        .toString();
  }

  private static List<?> gitLab(String part) throws IOException {
    return (List<?>) map(yaml("gitlab-ci.yml").get("rdma")).get(part);
  }

  @Test
  void gitHubAndGitLabRunTheSameTests() throws IOException {
    assertThat(gitLab("script")).hasToString(List.of(gitHubTests()).toString());
  }

  @Test
  void artifactsOfFailedTestsAreKept() throws IOException {
    assertThat(gitHubTests()).contains("--explain-file", "--report", "--fail-on-error");
    Map<?, ?> upload = map(gitHubSteps().getLast());
    assertThat(upload.get("uses").toString()).startsWith("actions/upload-artifact@");
    assertThat(upload.get("if")).hasToString("failure()");
    String folder = map(upload.get("with")).get("path").toString();
    assertThat(gitHubTests()).contains("mkdir -p " + folder);
    assertThat(map(map(yaml("gitlab-ci.yml").get("rdma")).get("artifacts")).get("paths"))
        .hasToString("[%s/]".formatted(folder));
  }

  /** Runs the functions of the tests, with other commands behind them; returns the exit code. */
  private static int run(Path folder, Map<String, String> commands, String tests)
      throws IOException, InterruptedException {
    Path tools = Files.createDirectory(folder.resolve("tools"));
    for (Map.Entry<String, String> command : commands.entrySet()) {
      Path file = tools.resolve(command.getKey());
      Files.writeString(file, "#!/bin/bash\n" + command.getValue());
      assertThat(file.toFile().setExecutable(true)).isTrue();
    }
    String functions = gitHubTests().replaceFirst("(?m)^ *pair \\d+(?s).*", "");
    ProcessBuilder shell = new ProcessBuilder("bash", "-e", "-c", functions + tests);
    shell.environment().merge("PATH", tools.toString(), (path, ours) -> ours + ":" + path);
    Process process =
        shell
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  /** Runs a command, and writes the file of its explanations at the end, also after SIGTERM. */
  private static final String BLUEBELL =
      """
      while [ "$1" != -- ]; do [ "$1" != --explain-file ] || file=$2; shift; done
      : >"$file"
      shift
      trap 'kill $!; echo ended >"$file"; exit 143' TERM
      "$@" &
      wait $! && code=0 || code=$?
      echo ended >"$file"
      exit $code
      """;

  @Test
  void aClientThatFailsEndsItsServerAndTheFilesOfBothAreKept(@TempDir Path folder)
      throws IOException, InterruptedException {
    String application = "[ -n \"$1\" ] || { : >started; exec sleep 600; }\nexit 99";
    String ss = "[ ! -e started ] || echo listens";
    Map<String, String> commands = Map.of("bluebell", BLUEBELL, "ss", ss, "app", application);
    assertThat(run(folder, commands, "\npair 18515 ./tools/app\n")).isEqualTo(99);
    assertThat(folder.resolve("rdma/app-client.txt")).hasContent("ended");
    assertThat(folder.resolve("rdma/app-server.txt")).hasContent("ended");
  }

  @Test
  void theFirstBadExitCodeIsKept(@TempDir Path folder) throws IOException, InterruptedException {
    String application = "[ -n \"$1\" ] || exit 7\nexit 0";
    Map<String, String> commands =
        Map.of("bluebell", BLUEBELL, "ss", "echo listens", "app", application);
    assertThat(run(folder, commands, "\npair 18515 app\necho next\n")).isEqualTo(7);
    assertThat(folder.resolve("log")).content().doesNotContain("next");
  }

  @Test
  void aServerThatEndsBeforeItListensIsNamed(@TempDir Path folder)
      throws IOException, InterruptedException {
    Map<String, String> commands = Map.of("bluebell", BLUEBELL, "ss", "exit 0", "app", "exit 3");
    assertThat(run(folder, commands, "\npair 18515 app\necho next\n")).isEqualTo(3);
    assertThat(folder.resolve("log"))
        .content()
        .contains("app-server ended before it listened at port 18515")
        .doesNotContain("next", "No such process");
  }

  @Test
  void theCommandsOfTheTestsExist() throws IOException {
    assertThat(COMMAND.matcher(gitHubTests()).results().map(found -> found.group(1)))
        .isNotEmpty()
        .allMatch(command -> Cli.run(command, "--help").exitCode() == 0);
    String programs = Files.readString(DOCS.resolve("compatibility.md"));
    Matcher named = PROGRAM.matcher(gitHubTests());
    assertThat(named.results().map(found -> found.group(1)))
        .hasSizeGreaterThan(2)
        .allMatch(program -> programs.contains("`" + program));
  }

  @Test
  void theWorkflowUsesAnActionOfThisRepositoryWithInputsThatExist() throws IOException {
    Map<?, ?> step =
        gitHubSteps().stream()
            .map(ContinuousIntegrationTest::map)
            .filter(each -> String.valueOf(each.get("uses")).startsWith("OWNER/REPOSITORY/"))
            .findFirst()
            .orElseThrow();
    String folder = step.get("uses").toString().replaceAll("^OWNER/REPOSITORY/|@.*", "");
    Map<String, Object> action =
        new Yaml().load(Files.readString(DOCS.resolveSibling(folder).resolve("action.yml")));
    assertThat(map(action.get("inputs")).keySet().containsAll(map(step.get("with")).keySet()))
        .isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"github", "gitlab"})
  void theScriptsAreValidShell(String which) throws Exception {
    List<String> scripts =
        which.equals("github")
            ? gitHubSteps().stream()
                .filter(step -> map(step).containsKey("run"))
                .map(step -> map(step).get("run").toString())
                .toList()
            : gitLab("before_script").stream().map(Object::toString).toList();
    assertThat(scripts).hasSizeGreaterThan(1);
    for (String script : scripts) {
      Process shell =
          new ProcessBuilder("sh", "-n", "-c", script).redirectErrorStream(true).start();
      assertThat(shell.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(shell.exitValue())
          .as(
              "%s: %s",
              script, new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .isZero();
    }
  }
}
