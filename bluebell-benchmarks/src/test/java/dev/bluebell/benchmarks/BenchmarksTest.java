package dev.bluebell.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** The benchmarks run; their results are not checked. */
class BenchmarksTest {
  @Test
  void everyBenchmarkThatTheScriptsNameRuns() throws RunnerException {
    Options once =
        new OptionsBuilder()
            .mode(Mode.SingleShotTime)
            .forks(0)
            .warmupIterations(0)
            .measurementIterations(1)
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT)
            .build();

    Collection<RunResult> results = new Runner(once).run();

    assertThat(results)
        .extracting(result -> result.getParams().getBenchmark())
        .containsExactlyInAnyOrder(
            "dev.bluebell.benchmarks.PostBenchmark.doorbell",
            "dev.bluebell.benchmarks.PostBenchmark.batchOf16",
            "dev.bluebell.benchmarks.PostBenchmark.inline32",
            "dev.bluebell.benchmarks.PollBenchmark.one",
            "dev.bluebell.benchmarks.PollBenchmark.sixteen",
            "dev.bluebell.benchmarks.PollBenchmark.sixteenWithAllFields",
            "dev.bluebell.benchmarks.MixedPollBenchmark.sixteen",
            // Without compression, and in each layout.
            "dev.bluebell.benchmarks.CompressedPollBenchmark.one",
            "dev.bluebell.benchmarks.CompressedPollBenchmark.one",
            "dev.bluebell.benchmarks.CompressedPollBenchmark.one",
            "dev.bluebell.benchmarks.CompressedPollBenchmark.sixteen",
            "dev.bluebell.benchmarks.CompressedPollBenchmark.sixteen",
            "dev.bluebell.benchmarks.CompressedPollBenchmark.sixteen",
            "dev.bluebell.benchmarks.CompressedPollBenchmark.sixteenWithAllFields",
            "dev.bluebell.benchmarks.CompressedPollBenchmark.sixteenWithAllFields",
            "dev.bluebell.benchmarks.CompressedPollBenchmark.sixteenWithAllFields",
            "dev.bluebell.benchmarks.CopyBenchmark.mebibyte",
            "dev.bluebell.benchmarks.DeviceBenchmark.write");
  }
}
