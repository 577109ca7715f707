package dev.bluebell.benchmarks;

import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CqeCompression;
import dev.bluebell.verbs.ring.SendRing;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures posting signalled RDMA WRITEs. Each invocation posts {@value #POSTS}, as in the libmlx5
 * measurement, and then completes the last one, which is timed, too.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(PostBenchmark.POSTS)
@Warmup(iterations = 6, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 41, time = 20, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
    value = 5,
    jvmArgs = {"--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC"})
public class PostBenchmark {
  static final int POSTS = 256;
  private static final int BATCH = 16;
  private static final int GATHERED_BYTES = 64;
  private static final int INLINE_BYTES = 32;
  private static final long REMOTE = 0x100000;
  private static final int RKEY = 0x5678;
  private static final int LKEY = 0x1234;

  private final PlainQueues queues = new PlainQueues(CqeCompression.NONE);
  private final MemorySegment data = Arena.global().allocate(4096);
  private final long address = data.address();

  /** One gather entry, and a doorbell per request. */
  @Benchmark
  public Completion doorbell() {
    SendRing ring = queues.send;
    for (int i = 0; i < POSTS; i++) {
      ring.request().write(REMOTE + i, RKEY).gather(address, GATHERED_BYTES, LKEY).signaled(i);
      ring.ringDoorbell();
    }
    return completeAll(1);
  }

  /** One gather entry, and a doorbell per 16 requests. */
  @Benchmark
  public Completion batchOf16() {
    SendRing ring = queues.send;
    for (int i = 0; i < POSTS; i += BATCH) {
      for (int j = i; j < i + BATCH; j++) {
        ring.request().write(REMOTE + j, RKEY).gather(address, GATHERED_BYTES, LKEY).signaled(j);
      }
      ring.ringDoorbell();
    }
    return completeAll(1);
  }

  /** 32 bytes of inline data, so each request takes two WQEBBs, and a doorbell per request. */
  @Benchmark
  public Completion inline32() {
    SendRing ring = queues.send;
    for (int i = 0; i < POSTS; i++) {
      ring.request().write(REMOTE + i, RKEY).inline(data, 0, INLINE_BYTES).signaled(i);
      ring.ringDoorbell();
    }
    return completeAll(2);
  }

  private Completion completeAll(int wqebbsOfLast) {
    queues.complete(queues.send.producerIndex() - wqebbsOfLast, 1);
    Completion completion = queues.completions.poll();
    if (completion == null || completion.id() != POSTS - 1 || !completion.isSuccess()) {
      throw new IllegalStateException("the last request did not complete: " + completion);
    }
    return completion;
  }
}
