package dev.bluebell.spark;

import dev.bluebell.verbs.AsyncEvent;
import dev.bluebell.verbs.Device;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * Waits until queue pairs in the error state have returned their receives to the shared queue. A
 * device flushes the receive of an unfinished message some time after the change of the state, and
 * reports it by an event. Takes all events of the device. Thread-safe.
 */
final class LastReceives {
  /** A queue pair that was never connected may cause no event. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final Device device;

  /** Queue pairs whose events another thread took. */
  private final Set<Integer> reported = new HashSet<>();

  LastReceives(Device device) {
    this.device = device;
  }

  /**
   * Waits until the flushed receive of a queue pair, if it held one, can be polled; at most a
   * second.
   *
   * @param number number of a queue pair in the error state
   */
  synchronized void await(int number) throws InterruptedException {
    long start = System.nanoTime();
    while (!reported.remove(number)) {
      AsyncEvent event = device.awaitEvent(PATIENCE.minusNanos(System.nanoTime() - start));
      if (event == null) {
        return;
      }
      if (event.type() == AsyncEvent.Type.LAST_WQE_REACHED) {
        reported.add(event.number());
      }
    }
  }
}
