package dev.bluebell.softnic.option;

/** The clock of a device. */
public interface Clock {

  /** Nanoseconds since an arbitrary start; never goes back. Any thread. */
  long nanos();

  /** The machine's monotonic clock. */
  static Clock system() {
    return System::nanoTime;
  }
}
