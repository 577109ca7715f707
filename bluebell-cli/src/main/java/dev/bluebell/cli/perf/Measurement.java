package dev.bluebell.cli.perf;

import com.sun.management.ThreadMXBean;
import dev.bluebell.cli.command.WorkFailed;
import dev.bluebell.cli.perf.PerfResult.Fault;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Times traffic: warms up until the rate no longer rises, then adds up rounds. */
final class Measurement {
  /** Tells the watcher that the warm-up is over. */
  private static final String MEASURES = "measures";

  private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long COPY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final int SLICES_WITHOUT_GAIN = 8;
  private static final double GAIN = 1.02;

  private final PerfPlan plan;
  private final Traffic traffic;
  private final Timings timings;
  private final PerfWatch watch;

  /** Counts Java heap allocations of all threads, those of the engine and the JVM included. */
  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private @Nullable Fault fault;
  private long sequence;
  private long messages;
  private long nanos;
  private long allocated;
  private double peak;

  /**
   * Prepares to time traffic.
   *
   * @param timings collects the latencies that the traffic measures, if any
   * @param watch follows the measurement, and may stop it
   */
  Measurement(PerfPlan plan, Traffic traffic, Timings timings, PerfWatch watch) {
    this.plan = plan;
    this.traffic = traffic;
    this.timings = timings;
    this.watch = watch;
  }

  /**
   * Warms up and measures. Stops at the first lost or wrong message, or when the watcher asks for
   * it.
   */
  PerfResult run() {
    watch.listener().accept(plan, "warms up");
    warmUp();
    reset();
    watch.listener().accept(plan, MEASURES);
    while (goesOn() && !isEnough()) {
      long left = plan.iterations() > 0 ? plan.iterations() - messages : traffic.window();
      round((int) Math.min(left, traffic.window()));
    }
    double copied = copiesPerSecond();
    return new PerfResult(
        plan,
        messages,
        nanos,
        peak,
        allocated,
        copied * plan.size(),
        plan.latency() && messages > 0 ? timings.latency() : null,
        fault,
        watch.isStopped(),
        null,
        0);
  }

  private boolean goesOn() {
    return fault == null && !watch.isStopped();
  }

  /**
   * Messages a second of plain memory copies between the same places, at their fastest; 0 for
   * operations that are not copies.
   */
  private double copiesPerSecond() {
    double best = 0;
    long deadline = System.nanoTime() + COPY_NANOS;
    while (goesOn() && System.nanoTime() - deadline < 0) {
      long start = System.nanoTime();
      if (!traffic.copy()) {
        return 0;
      }
      best = Math.max(best, traffic.window() * 1e9 / (System.nanoTime() - start));
    }
    return best;
  }

  private boolean isEnough() {
    return plan.iterations() > 0 ? messages >= plan.iterations() : nanos >= plan.nanos();
  }

  /** Runs until the rate has not risen for a while: then the JIT compiler is done. */
  private void warmUp() {
    long deadline = System.nanoTime() + plan.warmUpNanos();
    double best = 0;
    int withoutGain = 0;
    while (goesOn() && withoutGain < SLICES_WITHOUT_GAIN && System.nanoTime() - deadline < 0) {
      double rate = slice();
      withoutGain = rate > best * GAIN ? 0 : withoutGain + 1;
      best = Math.max(best, rate);
    }
  }

  private double slice() {
    reset();
    while (goesOn() && nanos < SLICE_NANOS) {
      round(traffic.window());
    }
    return (double) messages / nanos;
  }

  private void reset() {
    messages = 0;
    nanos = 0;
    allocated = 0;
    peak = 0;
    timings.reset();
  }

  private void round(int count) {
    try {
      traffic.prepare(count, sequence);
      sequence += count;
      long bytes = threads.getTotalThreadAllocatedBytes();
      long start = System.nanoTime();
      traffic.run();
      long time = System.nanoTime() - start;
      allocated += threads.getTotalThreadAllocatedBytes() - bytes;
      nanos += time;
      messages += count;
      peak = Math.max(peak, count * 1e9 / time);
      if (!traffic.verify()) {
        fault = new Fault(true, "a message was lost or came out different from what was sent");
      }
    } catch (WorkFailed | IllegalStateException e) {
      fault = new Fault(false, String.valueOf(e.getMessage()));
    }
  }
}
