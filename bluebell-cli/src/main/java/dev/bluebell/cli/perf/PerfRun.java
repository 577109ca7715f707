package dev.bluebell.cli.perf;

import dev.bluebell.cli.command.DeviceOption;
import dev.bluebell.cli.command.FabricLine;
import dev.bluebell.cli.report.ReportFile;
import dev.bluebell.verbs.Device;
import org.jspecify.annotations.Nullable;

/** Runs plans in this process alone, each on a new device. */
final class PerfRun implements PerfBench {
  private final DeviceOption device;
  private final PerfWatch watch;
  private final @Nullable ReportFile page;

  /**
   * Creates a bench; {@link #run} opens the devices.
   *
   * @param page reports on the device of each plan
   */
  PerfRun(DeviceOption device, PerfWatch watch, @Nullable ReportFile page) {
    this.device = device;
    this.watch = watch;
    this.page = page;
  }

  @Override
  public PerfResult run(PerfPlan plan) {
    try (Device opened = device.open()) {
      Runnable atEnd =
          ReportFile.begin(page, "%s, %d bytes".formatted(device.name(), plan.size()), opened);
      Timings timings = plan.timings();
      PerfResult result;
      try {
        result = new Measurement(plan, traffic(opened, plan, timings), timings, watch).run();
      } finally {
        atEnd.run();
      }
      return result.with(FabricLine.of(opened.diagnosis()).orElse(null), HandOff.nanos());
    }
  }

  private static Traffic traffic(Device device, PerfPlan plan, Timings timings) {
    if (plan.operation() == PerfOperation.ECHO) {
      EchoTraffic echo = EchoTraffic.create(device, plan);
      return plan.latency() ? TripTraffic.echoes(echo, timings::add) : echo;
    }
    FlowBench bench = new FlowBench(device, plan);
    return plan.latency() ? bench.trips(timings::add) : bench.traffic();
  }

  @Override
  public void close() {
    // Nothing to close: each plan closes its device.
  }
}
