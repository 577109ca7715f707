package dev.bluebell.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.cli.Cli;
import dev.bluebell.cli.output.Spread;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A measurement in several processes, and its warning about the number of processors. */
class PerfRunsTest {
  private static final List<String> SHORT =
      List.of("perf", "write", "--size", "32", "--iters", "1000", "--warm-up", "0", "--runs", "2");

  @Test
  @Tag("slow")
  void eachProcessHasALineAndTheSpreadFollows() throws Exception {
    try (CliProcess perf = new CliProcess(SHORT)) {
      assertThat(perf.end()).as(perf.output()).isZero();
      assertThat(perf.output())
          .containsPattern("(?m)^ 1 +[0-9.]+ ")
          .containsPattern("(?m)^ 2 +[0-9.]+ ")
          .doesNotContainPattern("(?m)^ 3 ")
          .containsPattern(
              "(?m)^ Median [0-9.]+, least [0-9.]+ \\([0-9.]+ of the median\\), most ");
    }
  }

  @Test
  @Timeout(120)
  @Tag("slow")
  void aProcessWhoseWordsComeFromAFileMeasuresOnce(@TempDir Path folder) throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("words"), String.join(" ", SHORT.subList(2, SHORT.size())) + " --json");
    try (CliProcess perf = new CliProcess(List.of("perf", "@" + file, "--", "write"))) {
      assertThat(perf.end()).as(perf.output()).isZero();
      assertThat(perf.output().lines().filter(line -> line.startsWith("{"))).hasSize(2);
    }
  }

  @Test
  void theSpreadIsOfTheMedian() {
    assertThat(Spread.of(List.of(5.0, 1.0, 3.0))).isEqualTo(new Spread(3, 1, 5));
  }

  @Test
  void theMedianOfAnEvenNumberIsTheMeanOfTheTwoInTheMiddle() {
    assertThat(Spread.of(List.of(9.0, 2.0, 4.0, 1.0))).isEqualTo(new Spread(3, 1, 9));
    assertThat(Spread.of(List.of(5.0))).isEqualTo(new Spread(5, 5, 5));
  }

  @Test
  void perfReportsTheRoundTripOfACacheLineBetweenProcessors() {
    Cli cli = Cli.run("perf", "write", "--iters", "1000", "--warm-up", "0", "--json");
    boolean hasTwo = Runtime.getRuntime().availableProcessors() > 1;
    assertThat(cli.json().getFirst().get("cacheLineRoundTripNanos").asLong() > 0).isEqualTo(hasTwo);
  }
}
