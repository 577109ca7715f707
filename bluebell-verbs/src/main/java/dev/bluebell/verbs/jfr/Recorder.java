package dev.bluebell.verbs.jfr;

import jdk.jfr.FlightRecorder;

/**
 * Tells whether the flight recorder is initialized.
 *
 * <p>Events that are not recorded cost only their classes, and the data path has no code for them:
 * failures are reported where failed completions are handled anyway, and rates are computed from
 * the queues' indices.
 */
public final class Recorder {
  private Recorder() {}

  /**
   * True when a recording was ever started in this process. Call it before any use of an event
   * class: the first use initializes the recorder, which takes a hundred milliseconds.
   */
  public static boolean isThere() {
    return FlightRecorder.isInitialized();
  }
}
