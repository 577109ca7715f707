package dev.bluebell.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.cli.Cli;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** No operation allocates, on any thread. One object per completion would be 0.16 bytes or more. */
@Tag("slow")
class PerfAllocationTest {
  private static final double JVM_NOISE = 0.1;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  @ParameterizedTest(name = "{0} on engine {1}")
  @CsvSource({
    "write, thread",
    "write, poll",
    "send, poll",
    "read, poll",
    "cas, poll",
    "masked-cas, poll",
    "send -c xrc, poll",
    "tag-send, poll",
    "echo, poll",
    "write -c uc, poll",
    "send -c ud, poll",
    "send -c dc, poll",
    "send --srq, poll",
    "send --srq --qp 3, poll"
  })
  void nothingIsAllocatedPerOperation(String operation, String engine) {
    boolean atomic = operation.endsWith("cas");
    List<String> args = new ArrayList<>(List.of("perf"));
    args.addAll(List.of(operation.split(" ")));
    args.addAll(List.of("--size", atomic ? "8" : "32", "--engine", engine));
    args.addAll(List.of("--iters", "200000", "--warm-up", "0.2", "--json"));
    long start = System.nanoTime();
    double allocated = allocatedPerOperation(args);
    // On a busy machine, the warm-up may end before everything is compiled.
    while (allocated >= JVM_NOISE && System.nanoTime() - start < PATIENCE_NANOS) {
      allocated = allocatedPerOperation(args);
    }
    assertThat(allocated).isLessThan(JVM_NOISE);
  }

  private static double allocatedPerOperation(List<String> args) {
    Cli cli = Cli.run(args.toArray(String[]::new));
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    return cli.json().getFirst().get("allocatedBytesPerOperation").asDouble();
  }
}
