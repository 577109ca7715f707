package dev.bluebell.cli.perf;

import dev.bluebell.cli.FabricLine;
import dev.bluebell.verbs.Device;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Runs a plan on a device. */
final class PerfRun {
  private static final int DIGITS = 3;

  private PerfRun() {}

  static PerfResult run(Device device, PerfPlan plan) {
    Histogram histogram =
        plan.latency() ? new Histogram(TimeUnit.MINUTES.toNanos(1), DIGITS) : null;
    PerfResult result = new Measurement(plan, traffic(device, plan, histogram), histogram).run();
    return result.withFabric(FabricLine.of(device.diagnosis()).orElse(null));
  }

  private static Traffic traffic(Device device, PerfPlan plan, @Nullable Histogram histogram) {
    boolean isEcho = plan.operation() == PerfOperation.ECHO;
    if (histogram != null) {
      RoundTrip trip =
          isEcho
              ? new EchoRoundTrip(EchoTraffic.create(device, plan))
              : new FlowBench(device, plan).roundTrip(device);
      return new TripTraffic(trip, plan.slots(), histogram);
    }
    return isEcho ? EchoTraffic.create(device, plan) : new FlowBench(device, plan).traffic();
  }
}
