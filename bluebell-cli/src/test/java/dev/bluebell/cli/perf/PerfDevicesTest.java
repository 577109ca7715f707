package dev.bluebell.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.cli.Cli;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A measurement on several devices at once. */
class PerfDevicesTest {
  private static Cli perf(String... args) {
    List<String> all = new ArrayList<>(List.of("perf", "write", "--warm-up", "0"));
    all.addAll(Arrays.asList(args));
    return Cli.run(all.toArray(String[]::new));
  }

  @ParameterizedTest
  @CsvSource({"thread, 4", "poll, 2"})
  void aDeviceAloneAndEachOfSeveralDevicesHaveALineAndTheSumFollows(String engine, int threads) {
    Cli cli = perf("--size", "32", "--iters", "5000", "--devices", "2", "--engine", engine);
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out())
        .containsPattern("(?m)^ alone +[0-9.]+$")
        .containsPattern("(?m)^ 1 +[0-9.]+$")
        .containsPattern("(?m)^ 2 +[0-9.]+$")
        .doesNotContainPattern("(?m)^ 3 ")
        .containsPattern(
            "(?m)^ Sum [0-9.]+, [0-9.]+ times one alone; %d threads ran on ".formatted(threads));
  }

  @Test
  @Tag("slow")
  void anInterruptedMeasurementHasNoSum() throws Exception {
    List<String> words =
        List.of("perf", "write", "--warm-up", "0", "--duration", "60", "--devices", "2");
    try (CliProcess perf = new CliProcess(words)) {
      perf.await(line -> line.contains("MsgRate"));
      perf.interrupt();
      assertThat(perf.end()).as(perf.output()).isEqualTo(130);
      assertThat(perf.output())
          .contains(" Interrupted     : ")
          .doesNotContain("Sum", "NaN", " 0.000");
    }
  }

  @Test
  void aDeviceThatCanNotBeOpenedTwiceIsNamed() {
    Cli cli = perf("--iters", "100", "--devices", "2", "--device", "soft:listen=127.77.0.9");
    assertThat(cli.exitCode()).isNotZero();
    assertThat(cli.err()).contains("127.77.0.9");
  }

  @ParameterizedTest
  @CsvSource({
    "--devices 1, --devices must be 2 to 16",
    "--devices 2 --json, leave out --server",
    "--devices 2 --all, leave out --all and --latency",
    "--devices 2 --latency, leave out --all and --latency",
    "--devices 2 --runs 2, leave out --server"
  })
  void optionsWithoutASumAreRefused(String words, String sentence) {
    Cli cli = perf(words.split(" "));
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).contains(sentence);
  }
}
