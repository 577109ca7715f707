package dev.bluebell.softnic.rig;

import dev.bluebell.softnic.diagnosis.FlightCopy;
import dev.bluebell.softnic.diagnosis.FlightRecorder;

/** Copies flight records. */
public final class Recorded {
  private Recorded() {}

  /** All current entries. */
  public static FlightCopy by(FlightRecorder recorder) {
    FlightCopy copy = recorder.begin();
    while (recorder.copy(copy)) {
      // Goes on.
    }
    return copy;
  }
}
