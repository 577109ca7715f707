package dev.bluebell.micrometer;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.counter.PortCounter;
import dev.bluebell.verbs.Device;
import io.micrometer.core.instrument.Clock;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** All counters of a device at one time; read again when they are too old. Thread-safe. */
final class CounterSample {
  private static final long LIFE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Clock clock;
  private final Map<PortCounter, Long> values = new EnumMap<>(PortCounter.class);
  private long taken;

  CounterSample(Clock clock) {
    this.clock = clock;
    taken = clock.monotonicTime() - LIFE_NANOS;
  }

  /** A value at most 100 ms old, or the last one if the device is gone. */
  synchronized double value(Device device, PortCounter counter) {
    long now = clock.monotonicTime();
    if (now - taken >= LIFE_NANOS) {
      taken = now;
      try {
        // Not all of them are there any more while a card is being removed.
        values.putAll(device.counters());
      } catch (IllegalStateException | HcaException gone) {
        // The device is closed or being closed, or it is lost. The last values remain valid.
      }
    }
    return values.getOrDefault(counter, 0L);
  }
}
