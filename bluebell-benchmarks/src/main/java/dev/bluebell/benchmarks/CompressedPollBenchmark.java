package dev.bluebell.benchmarks;

import dev.bluebell.verbs.CqeCompression;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** {@link PollBenchmark} without compression and in both compressed layouts. */
@State(Scope.Thread)
@Fork(
    value = 3,
    jvmArgs = {"--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC"})
public class CompressedPollBenchmark extends PollBenchmark {
  @Param({"NONE", "BASIC", "ENHANCED"})
  private CqeCompression layout = CqeCompression.NONE;

  /** Makes the queues of the layout. */
  @Setup(Level.Trial)
  public void open() {
    queues = new PlainQueues(layout);
  }
}
