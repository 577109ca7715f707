package dev.bluebell.benchmarks;

import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionHandler;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures polling completions of send and receive requests of four queue pairs, where no two
 * consecutive completions belong to the same queue. Otherwise like {@link PollBenchmark}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(PollBenchmark.COMPLETIONS)
@Warmup(iterations = 6, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 41, time = 20, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
    value = 5,
    jvmArgs = {"--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC"})
public class MixedPollBenchmark {
  private static final int BATCH = 16;

  private final MixedQueues queues = new MixedQueues();
  private final Reader reader = new Reader();

  /** Posts requests and completes each. */
  @Setup(Level.Invocation)
  public void completeRequests() {
    queues.completeInTurn(PollBenchmark.COMPLETIONS);
  }

  /** One call for 16 completions; reads the id, success and direction of each. */
  @Benchmark
  public long sixteen() {
    for (int i = 0; i < PollBenchmark.COMPLETIONS; i += BATCH) {
      if (queues.completions.poll(reader, BATCH) != BATCH) {
        throw new IllegalStateException("a completion is missing");
      }
    }
    return reader.sum;
  }

  private static final class Reader implements CompletionHandler {
    private long sum;

    @Override
    public void completed(Completion completion) {
      if (!completion.isSuccess()) {
        throw new IllegalStateException(completion.explanation());
      }
      sum += completion.id() + completion.opcode().ordinal();
    }
  }
}
