package dev.bluebell.softnic.option;

/** Where the device reads time. */
public interface Clock {

  /** Nanoseconds since an arbitrary start; never goes back. Any thread. */
  long nanos();

  /** The machine's monotonic clock. */
  static Clock system() {
    return System::nanoTime;
  }
}
