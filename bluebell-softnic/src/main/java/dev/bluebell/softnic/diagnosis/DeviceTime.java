package dev.bluebell.softnic.diagnosis;

/**
 * The device's own view of time: read from the clock once a duty cycle and then shared by all
 * units, because reading a clock costs as much as executing a request. Nanoseconds; owned by
 * whoever runs the engine.
 */
public final class DeviceTime {
  private long now;

  public long now() {
    return now;
  }

  public void set(long nanos) {
    now = nanos;
  }
}
