package dev.bluebell.test;

/** How time passes on a device under test, and who runs it. */
public enum Time {
  /**
   * Whoever polls or waits runs the device, and when it has nothing to do, its clock moves on. So
   * timeouts cost nothing, and a test of one thread is the same each time.
   */
  VIRTUAL,

  /**
   * Whoever polls or waits runs the device, and its clock moves only when the test {@linkplain
   * TestDevice#advance says so}.
   */
  HELD,

  /** A thread of the device runs it, by the machine's clock. */
  REAL
}
