package dev.bluebell.benchmarks;

import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionHandler;
import dev.bluebell.verbs.CqeCompression;
import dev.bluebell.verbs.ring.CompletionRing;
import dev.bluebell.verbs.ring.SendRing;
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
 * Measures polling completions of RDMA WRITEs. Before each invocation, {@value #COMPLETIONS}
 * requests are posted and completed, untimed, as in the libmlx5 measurement.
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
public class PollBenchmark {
  static final int COMPLETIONS = 256;
  private static final int BATCH = 16;

  PlainQueues queues = new PlainQueues(CqeCompression.NONE);
  private final Reader reader = new Reader();
  private final FieldReader fieldReader = new FieldReader();

  /** Posts requests and completes each. */
  @Setup(Level.Invocation)
  public void completeRequests() {
    SendRing ring = queues.send;
    int first = ring.producerIndex();
    for (int i = 0; i < COMPLETIONS; i++) {
      ring.request().write(0x100000, 0x5678).gather(0x200000, 64, 0x1234).signaled(i);
    }
    queues.complete(first, COMPLETIONS);
    ring.ringDoorbell();
  }

  /** One call per completion; reads its id and success. */
  @Benchmark
  public long one() {
    CompletionRing ring = queues.completions;
    long sum = 0;
    for (int i = 0; i < COMPLETIONS; i++) {
      Completion completion = ring.poll();
      if (completion == null) {
        throw missing();
      }
      sum += idOf(completion);
    }
    return sum;
  }

  /** One call for 16 completions; reads the id and success of each. */
  @Benchmark
  public long sixteen() {
    poll(reader);
    return reader.sum;
  }

  /** One call for 16 completions; reads also the opcode and byte count of each. */
  @Benchmark
  public long sixteenWithAllFields() {
    poll(fieldReader);
    return fieldReader.sum;
  }

  private void poll(CompletionHandler handler) {
    CompletionRing ring = queues.completions;
    for (int i = 0; i < COMPLETIONS; i += BATCH) {
      if (ring.poll(handler, BATCH) != BATCH) {
        throw missing();
      }
    }
  }

  private static IllegalStateException missing() {
    return new IllegalStateException("a completion is missing");
  }

  private static long idOf(Completion completion) {
    if (!completion.isSuccess()) {
      throw new IllegalStateException(completion.explanation());
    }
    return completion.id();
  }

  private static final class Reader implements CompletionHandler {
    private long sum;

    @Override
    public void completed(Completion completion) {
      sum += idOf(completion);
    }
  }

  private static final class FieldReader implements CompletionHandler {
    private long sum;

    @Override
    public void completed(Completion completion) {
      sum += idOf(completion) + completion.opcode().ordinal() + completion.byteCount();
    }
  }
}
