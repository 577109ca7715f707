package dev.bluebell.test;

/** How time passes on a device under test, and which thread runs it. */
public enum Time {
  /**
   * The polling or waiting thread runs the device, and the clock advances when the device is idle.
   * So timeouts take no real time, and a single-threaded test is deterministic.
   */
  VIRTUAL,

  /**
   * The polling or waiting thread runs the device, and the clock moves only when the test
   * {@linkplain TestDevice#advance advances} it.
   */
  HELD,

  /** A thread of the device runs it, with the machine's clock. */
  REAL
}
