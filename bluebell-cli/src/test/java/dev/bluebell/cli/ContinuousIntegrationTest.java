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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/** The files of docs/ci, which run other projects' programs on the output of 'bluebell dist'. */
class ContinuousIntegrationTest {
  private static final Path DOCS =
      Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent().resolve("docs");
  private static final Pattern COMMAND = Pattern.compile("(?m)^ *bluebell ([a-z]+)");
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
