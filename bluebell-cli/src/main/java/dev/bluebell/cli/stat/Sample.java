package dev.bluebell.cli.stat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.cli.output.JsonLines;
import dev.bluebell.hca.counter.PortCounter;
import dev.bluebell.verbs.Device;
import java.util.Map;

/**
 * The values of all counters at one time.
 *
 * @param nanos time of {@link System#nanoTime}
 */
record Sample(long nanos, Map<PortCounter, Long> counters) {
  private static final double NANOS_PER_SECOND = 1e9;

  static Sample of(Device device) {
    return new Sample(System.nanoTime(), device.counters());
  }

  long value(PortCounter counter) {
    return counters.getOrDefault(counter, 0L);
  }

  /** True when all counters are 0. */
  boolean isZero() {
    return counters.values().stream().allMatch(value -> value == 0);
  }

  /** The increase of a counter per second since an earlier sample. */
  double rate(PortCounter counter, Sample before) {
    long rise = counter.rise(before.value(counter), value(counter));
    return nanos == before.nanos ? 0 : rise * NANOS_PER_SECOND / (nanos - before.nanos);
  }

  /** All counters, and the increase per second of those that rose since an earlier sample. */
  ObjectNode toJson(Sample before) {
    ObjectNode object = JsonLines.object();
    object.put("seconds", (nanos - before.nanos) / NANOS_PER_SECOND);
    ObjectNode totals = object.putObject("counters");
    ObjectNode rates = object.putObject("per_second");
    counters.forEach(
        (counter, value) -> {
          totals.put(counter.fileName(), value);
          if (rate(counter, before) != 0) {
            rates.put(counter.fileName(), rate(counter, before));
          }
        });
    return object;
  }
}
