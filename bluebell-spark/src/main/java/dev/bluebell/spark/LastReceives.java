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
  private final Device device;
  private final Duration patience;

  /** Queue pairs whose events another thread took. */
  private final Set<Integer> reported = new HashSet<>();

  /**
   * @param patience maximum time to wait for an event: a queue pair that was never connected may
   *     cause none
   */
  LastReceives(Device device, Duration patience) {
    this.device = device;
    this.patience = patience;
  }

  /** Forgets an event of an earlier queue pair with the number of a new one. */
  synchronized void forget(int number) {
    reported.remove(number);
  }

  /**
   * Waits until the flushed receive of a queue pair, if it held one, can be polled. Threads that
   * wait at the same time wait together, not one after the other.
   *
   * @param number number of a queue pair in the error state
   */
  void await(int number) throws InterruptedException {
    await(number, System.nanoTime());
  }

  private synchronized void await(int number, long start) throws InterruptedException {
    while (!reported.remove(number)) {
      AsyncEvent event = device.awaitEvent(patience.minusNanos(System.nanoTime() - start));
      if (event == null) {
        return;
      }
      if (event.type() == AsyncEvent.Type.LAST_WQE_REACHED) {
        reported.add(event.number());
      }
    }
  }
}
