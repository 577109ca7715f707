package dev.bluebell.benchmarks;

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
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures a plain copy of the bytes that {@code bluebell perf write --size 1048576} moves:
 * messages of 1 MiB, each starting 64 bytes after the previous one, to {@value #SLOTS} places in
 * turn.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(CopyBenchmark.SLOTS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 41, time = 20, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
    value = 5,
    jvmArgs = {"--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC"})
public class CopyBenchmark {
  static final int SLOTS = 32;
  private static final int BYTES = 1 << 20;
  private static final int STEP = 64;
  private static final int PAGE = 4096;

  private final MemorySegment source = Arena.global().allocate(BYTES + (long) STEP * SLOTS, PAGE);
  private final MemorySegment target = Arena.global().allocate((long) BYTES * SLOTS, PAGE);

  /** Fills the source, because unwritten pages share one page of zeros. */
  @Setup
  public void fill() {
    source.fill((byte) 0x5a);
  }

  /** Copies a message to each place. */
  @Benchmark
  public MemorySegment mebibyte() {
    for (int i = 0; i < SLOTS; i++) {
      MemorySegment.copy(source, (long) i * STEP, target, (long) i * BYTES, BYTES);
    }
    return target;
  }
}
