package dev.bluebell.verbs.jfr;

import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;

/** Registers periodic events once the flight recorder is initialized. */
public final class PeriodicEvents {
  private PeriodicEvents() {}

  /** Emits the periodic events. The recorder's thread calls it at the period of the recording. */
  public interface Teller {
    /** Emits {@link QueuePairRateEvent}s. */
    void tellQueuePairs();

    /** Emits {@link CompletionQueueRateEvent}s. */
    void tellCompletionQueues();

    /** Emits {@link ReceiverNotReadyEvent}s. */
    void tellNotReady();

    /** Emits {@link RetransmissionEvent}s. */
    void tellRetransmissions();
  }

  /** Registers a teller. This does not start the recorder; the first recording does. */
  public static void announce(Teller teller) {
    FlightRecorder.addListener(
        new FlightRecorderListener() {
          @Override
          public void recorderInitialized(FlightRecorder recorder) {
            FlightRecorder.addPeriodicEvent(QueuePairRateEvent.class, teller::tellQueuePairs);
            FlightRecorder.addPeriodicEvent(
                CompletionQueueRateEvent.class, teller::tellCompletionQueues);
            FlightRecorder.addPeriodicEvent(ReceiverNotReadyEvent.class, teller::tellNotReady);
            FlightRecorder.addPeriodicEvent(RetransmissionEvent.class, teller::tellRetransmissions);
          }
        });
  }
}
