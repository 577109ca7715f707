package dev.bluebell.micrometer;

import dev.bluebell.hca.counter.PortCounter;
import dev.bluebell.verbs.Device;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/**
 * The metrics of a device: {@code bluebell.port.…} for each {@link PortCounter}, by the names that
 * mlx5 has for them, such as {@code bluebell.port.local.ack.timeout.err}, and {@code
 * bluebell.objects.open}, the number of {@link Device#openObjects}. The tag {@code device} is the
 * device's name.
 *
 * <p>The counters are read from the device when a registry reads them, at most ten times a second
 * for all of them. They count for all clients of the device, and keep their last values when it is
 * closed. Those of {@link PortCounter#countsWords words} count units of 4 bytes. A registry does
 * not prevent garbage collection of the device.
 *
 * <p>A registry takes only the first of two devices with the same tags. To watch a device that
 * replaces another, {@link #close} the metrics of the first before binding those of the second.
 */
public final class DeviceMetrics implements MeterBinder, AutoCloseable {
  private static final String PREFIX = "bluebell.port.";

  private final Device device;
  private final Tags tags;
  private final List<Runnable> removals = new CopyOnWriteArrayList<>();

  /** Metrics with the device's name as their only tag. */
  public DeviceMetrics(Device device) {
    this(device, List.of());
  }

  /**
   * Metrics with additional tags, which distinguish devices of the same name.
   *
   * @param more tags in addition to {@code device}
   */
  public DeviceMetrics(Device device, Iterable<Tag> more) {
    this.device = device;
    tags = Tags.of("device", device.name()).and(more);
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    CounterSample sample = new CounterSample(registry.config().clock());
    Set<Meter> before = Set.copyOf(registry.getMeters());
    for (PortCounter counter : PortCounter.values()) {
      bind(
          registry,
          before,
          FunctionCounter.builder(name(counter), device, from -> sample.value(from, counter))
                  .tags(tags)
                  .baseUnit(counter.countsWords() ? "words" : null)
                  .description(
                      "mlx5's counter "
                          + counter.fileName()
                          + (counter.countsWords() ? ", in units of 4 bytes" : ""))
              ::register);
    }
    bind(
        registry,
        before,
        Gauge.builder("bluebell.objects.open", device, from -> from.openObjects().size())
                .tags(tags)
                .description("Objects of the device that this process has open")
            ::register);
  }

  private void bind(
      MeterRegistry registry, Set<Meter> before, Function<MeterRegistry, Meter> register) {
    Meter meter = register.apply(registry);
    // The registry returns the meter of another device if it has one with the same tags.
    if (!before.contains(meter)) {
      removals.add(() -> registry.remove(meter));
    }
  }

  /** Removes the metrics from all registries to which they were bound. */
  @Override
  public void close() {
    removals.forEach(Runnable::run);
    removals.clear();
  }

  /** The word "port" is not repeated: PORT_XMIT_DATA is bluebell.port.xmit.data. */
  private static String name(PortCounter counter) {
    String name = counter.name().toLowerCase(Locale.ROOT).replace('_', '.');
    return PREFIX + (name.startsWith("port.") ? name.substring("port.".length()) : name);
  }
}
