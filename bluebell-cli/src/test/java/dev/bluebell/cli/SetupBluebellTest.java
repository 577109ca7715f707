package dev.bluebell.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** The steps of the action setup-bluebell, with a tar file that contains only a command. */
class SetupBluebellTest {
  private static final Path ACTION =
      Path.of(System.getProperty("basedir", ""))
          .toAbsolutePath()
          .getParent()
          .resolve(".github/actions/setup-bluebell");
  private static final String TAR = "bluebell-1.2.3-linux-x86_64.tar.gz";

  /** Has paths like GitHub's: OWNER/REPOSITORY/releases/download/TAG. */
  @TempDir private Path server;

  @TempDir private Path runner;
  private Path release;
  private String sum;

  @BeforeEach
  void makeRelease() throws Exception {
    release = Files.createDirectories(server.resolve("owner/repository/releases/download/v1.2.3"));
    Path bin = Files.createDirectories(runner.resolve("content/bluebell-1.2.3-linux-x86_64/bin"));
    Path command = Files.writeString(bin.resolve("bluebell"), "#!/bin/sh\necho bluebell 1.2.3\n");
    Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwxr-xr-x"));
    Process tar =
        new ProcessBuilder(
                "tar",
                "-czf",
                release.resolve(TAR).toString(),
                "-C",
                "content",
                "bluebell-1.2.3-linux-x86_64")
            .directory(runner.toFile())
            .start();
    assertThat(tar.waitFor()).isZero();
    byte[] bytes = Files.readAllBytes(release.resolve(TAR));
    sum = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    Files.writeString(
        release.resolve("SHA256SUMS"), "%064d  other.tar.gz\n%s  %s\n".formatted(0, sum, TAR));
  }

  private record Ended(int code, String output) {}

  private Ended install(Map<String, String> inputs) throws Exception {
    Map<String, String> environment = new HashMap<>();
    environment.put("GITHUB_SERVER_URL", "file://" + server);
    environment.put("GITHUB_REPOSITORY", "owner/repository");
    environment.put("ACTION_REPOSITORY", "");
    environment.put("GITHUB_PATH", runner.resolve("path").toString());
    environment.put("RUNNER_TEMP", runner.toString());
    environment.put("INPUT_VERSION", "1.2.3");
    environment.put("INPUT_FILE", "");
    environment.put("INPUT_SHA256", "");
    environment.putAll(inputs);
    ProcessBuilder builder =
        new ProcessBuilder(ACTION.resolve("install").toString()).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Ended(process.exitValue(), output);
  }

  private void expectInstalled(Ended ended) throws IOException {
    assertThat(ended).isEqualTo(new Ended(0, "bluebell 1.2.3\n"));
    List<String> path = Files.readAllLines(runner.resolve("path"));
    assertThat(path).hasSize(1);
    assertThat(Path.of(path.getFirst(), "bluebell")).isExecutable();
  }

  private void expectRefused(Ended ended, String reason) {
    assertThat(ended.code()).isEqualTo(1);
    assertThat(ended.output()).contains("::error::setup-bluebell: ").contains(reason);
    assertThat(runner.resolve("path")).doesNotExist();
  }

  @Test
  void aReleaseIsDownloadedAndPutOnThePath() throws Exception {
    expectInstalled(install(Map.of()));
  }

  @Test
  void theActionsOwnRepositoryHasTheReleases() throws Exception {
    expectInstalled(
        install(
            Map.of("ACTION_REPOSITORY", "owner/repository", "GITHUB_REPOSITORY", "somebody/else")));
  }

  @Test
  void aFileOfTheRunnerNeedsNoNetwork() throws Exception {
    String file = release.resolve(TAR).toString();
    String nowhere = "http://localhost:1";
    expectInstalled(install(Map.of("INPUT_FILE", file, "GITHUB_SERVER_URL", nowhere)));
    Files.delete(release.resolve("SHA256SUMS"));
    Files.delete(runner.resolve("path"));
    expectInstalled(install(Map.of("INPUT_FILE", file, "INPUT_SHA256", sum)));
  }

  @Test
  void aFileThatDoesNotMatchItsChecksumIsRefused() throws Exception {
    expectRefused(install(Map.of("INPUT_SHA256", "0".repeat(64))), "is not 000000");
    Files.writeString(release.resolve("SHA256SUMS"), "%064d  %s\n".formatted(1, TAR));
    expectRefused(install(Map.of()), "the file is damaged");
    Files.writeString(release.resolve("SHA256SUMS"), "%s  another.tar.gz\n".formatted(sum));
    expectRefused(install(Map.of()), "SHA256SUMS does not name " + TAR);
  }

  @Test
  void aFileThatIsNotThereIsNamed() throws Exception {
    expectRefused(install(Map.of("INPUT_VERSION", "9.9.9")), "9.9.9-linux-x86_64.tar.gz can't be");
    expectRefused(install(Map.of("INPUT_FILE", "none.tar.gz")), "there is no file none.tar.gz");
  }

  @Test
  void theActionHandsEachOfItsInputsToTheScript() throws IOException {
    String text = Files.readString(ACTION.resolve("action.yml"));
    Map<?, ?> action = new Yaml().load(text);
    List<String> inputs =
        ((Map<?, ?>) action.get("inputs")).keySet().stream().map(Object::toString).toList();
    assertThat(inputs).containsExactlyInAnyOrder("version", "file", "sha256");
    String script = Files.readString(ACTION.resolve("install"));
    for (String input : inputs) {
      String variable = "INPUT_" + input.toUpperCase(Locale.ROOT);
      assertThat(text).contains("%s: ${{ inputs.%s }}".formatted(variable, input));
      assertThat(script).containsPattern("\\$\\{?" + Pattern.quote(variable));
    }
  }
}
