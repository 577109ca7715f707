package dev.bluebell.benchmarks;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures WRITEs of 32 bytes on a device, from posting to polling, in batches. The data path is
 * the same for all ways to open a device. {@code -p device=NAME} selects it, such as {@code
 * socket:PATH} or, in {@code ./bluebell run}, {@code mlx5_0}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(DeviceBenchmark.POSTS)
@Warmup(iterations = 6, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 20, time = 100, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
    value = 3,
    jvmArgs = {"--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC"})
public class DeviceBenchmark {
  static final int POSTS = 64;
  private static final int BYTES = 32;

  @Param("soft")
  private String device;

  private Device opened;
  private MemoryRegion memory;
  private CompletionQueue completions;
  private RcQueuePair queue;

  @Setup
  public void open() {
    opened = Device.open(device);
    ProtectionDomain domain = opened.allocateProtectionDomain();
    memory = domain.allocate(2 * BYTES, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
    completions = opened.createCompletionQueue(2 * POSTS);
    queue = domain.rcQueuePair(completions).sendQueue(2 * POSTS).create();
    RcQueuePair peer = domain.rcQueuePair(completions).create();
    queue.connect(peer.endpoint());
    peer.connect(queue.endpoint());
  }

  @TearDown
  public void close() {
    opened.close();
  }

  @Benchmark
  public int write() {
    for (int i = 0; i < POSTS; i++) {
      queue.write(memory.remote().slice(BYTES, BYTES)).gather(memory, 0, BYTES).signaled(i);
    }
    queue.ringDoorbell();
    int completed = 0;
    while (completed < POSTS) {
      int polled = completions.poll(DeviceBenchmark::check);
      completed += polled;
      if (polled == 0) {
        Thread.onSpinWait();
      }
    }
    return completed;
  }

  private static void check(Completion completion) {
    if (!completion.isSuccess()) {
      throw new IllegalStateException("request failed: " + completion);
    }
  }
}
