package dev.bluebell.examples.metrics;

import dev.bluebell.micrometer.DeviceMetrics;
import dev.bluebell.verbs.Device;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import java.time.Duration;
import java.util.Map;

/** Sends the counters of a device to an OpenTelemetry collector, by OTLP over HTTP. */
final class OpenTelemetryMetrics {
  private OpenTelemetryMetrics() {}

  /**
   * Starts to send the counters of a device at an interval, and when the registry is closed.
   *
   * @param collector for example {@code http://localhost:4318/v1/metrics}
   * @param interval from a millisecond on
   */
  static MeterRegistry export(Device device, String collector, Duration interval) {
    Map<String, String> settings =
        Map.of(
            "otlp.url",
            collector,
            "otlp.step",
            interval.toString(),
            "otlp.resourceAttributes",
            "service.name=store");
    MeterRegistry registry = new OtlpMeterRegistry(settings::get, Clock.SYSTEM);
    new DeviceMetrics(device).bindTo(registry);
    return registry;
  }
}
