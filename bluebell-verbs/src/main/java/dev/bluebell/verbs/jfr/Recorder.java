package dev.bluebell.verbs.jfr;

import jdk.jfr.FlightRecorder;

/** Whether there is a flight recorder to tell. */
public final class Recorder {
  private Recorder() {}

  /**
   * True when somebody has recorded in this process, or does. Ask before any use of an event's
   * class: the first one sets up what the JVM needs to record, which takes a hundred milliseconds.
   */
  public static boolean isThere() {
    return FlightRecorder.isInitialized();
  }
}
