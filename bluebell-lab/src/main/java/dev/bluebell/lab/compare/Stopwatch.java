package dev.bluebell.lab.compare;

import dev.bluebell.verbs.Device;
import java.util.concurrent.TimeUnit;

/**
 * Measures the time of calls.
 *
 * @param byDeviceClock true to measure by the device's clock (virtual time), false by the machine's
 */
record Stopwatch(Device device, boolean byDeviceClock) {
  /** Time at the start of a call. */
  long start() {
    return byDeviceClock ? device.clock() : System.nanoTime();
  }

  /**
   * Nanoseconds since the start.
   *
   * @param answeredAt time of the answer, on the device's clock
   */
  long nanos(long start, long answeredAt) {
    return byDeviceClock
        ? (answeredAt - start)
            * TimeUnit.MILLISECONDS.toNanos(1)
            / device.attributes().clockKilohertz()
        : System.nanoTime() - start;
  }
}
