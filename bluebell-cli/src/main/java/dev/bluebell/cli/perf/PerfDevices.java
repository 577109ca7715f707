package dev.bluebell.cli.perf;

import dev.bluebell.cli.command.DeviceOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.function.Consumer;

/**
 * The same measurement on one device, and on several devices of this process at once. Each device
 * has its own engine, and its own thread that posts and polls. They start to measure together,
 * after all have warmed up.
 */
final class PerfDevices {
  private final DeviceOption device;
  private final PerfPlan plan;
  private final PerfWatch watch;

  /**
   * Creates a measurement without running it.
   *
   * @param watch may stop all devices; follows the measurement on one device alone
   */
  PerfDevices(DeviceOption device, PerfPlan plan, PerfWatch watch) {
    this.device = device;
    this.plan = plan;
    this.watch = watch;
  }

  /** Measures on one device alone. */
  PerfResult alone() {
    return good(run(watch));
  }

  /**
   * Measures on several devices at once.
   *
   * @param each receives each result
   */
  void together(int devices, Consumer<PerfResult> each) throws InterruptedException {
    Phaser start = new Phaser(devices);
    List<Callable<PerfResult>> tasks = new ArrayList<>();
    for (int i = 0; i < devices; i++) {
      tasks.add(() -> runWithOthers(start));
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(devices)) {
      for (Future<PerfResult> result : threads.invokeAll(tasks)) {
        each.accept(good(result.get()));
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
    }
  }

  private PerfResult runWithOthers(Phaser start) {
    try {
      return run(
          new PerfWatch(
              watch.stopper(),
              (measured, what) -> {
                if (what.equals(Measurement.MEASURES)) {
                  start.arriveAndAwaitAdvance();
                }
              }));
    } finally {
      // Other devices must not wait for one that failed during its warm-up.
      start.arriveAndDeregister();
    }
  }

  private PerfResult run(PerfWatch seenBy) {
    // The threads of HandOff would disturb devices that still measure.
    try (PerfRun bench = new PerfRun(device, seenBy, null, () -> 0)) {
      return bench.run(plan);
    }
  }

  private static PerfResult good(PerfResult result) {
    if (!result.isVerified()) {
      throw result.failure();
    }
    return result;
  }
}
