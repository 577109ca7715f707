package dev.bluebell.verbs.jfr;

import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;

/** Lets somebody tell what happens again and again, once there is a recorder. */
public final class PeriodicEvents {
  private PeriodicEvents() {}

  /** Somebody who tells, on a thread of the recorder, as often as a recording wants it. */
  public interface Teller {
    /** Tells by {@link QueuePairRateEvent}. */
    void tellQueuePairs();

    /** Tells by {@link CompletionQueueRateEvent}. */
    void tellCompletionQueues();

    /** Tells by {@link ReceiverNotReadyEvent}. */
    void tellNotReady();

    /** Tells by {@link RetransmissionEvent}. */
    void tellRetransmissions();
  }

  /** Announces who tells. The recorder itself starts when somebody records, and not before. */
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
