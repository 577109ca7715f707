package dev.bluebell.verbs.device;

import dev.bluebell.hca.counter.PortCounter;
import dev.bluebell.verbs.OpenObject;
import dev.bluebell.verbs.completion.CompletionQueueImpl;
import dev.bluebell.verbs.jfr.CompletionQueueRateEvent;
import dev.bluebell.verbs.jfr.CounterEvent;
import dev.bluebell.verbs.jfr.QueuePairRateEvent;
import dev.bluebell.verbs.jfr.ReceiverNotReadyEvent;
import dev.bluebell.verbs.jfr.RetransmissionEvent;
import dev.bluebell.verbs.object.DeviceContext;
import dev.bluebell.verbs.pair.QueuePairImpl;
import dev.bluebell.verbs.ring.SendRing;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;

/**
 * Emits the periodic flight recorder events of a device: how far the indices of its queues have
 * moved, and which counters have risen. The data path counts nothing for them. Used by the
 * recorder's threads, one at a time.
 */
public final class DeviceRates {
  private static final double NANOS_PER_SECOND = 1e9;

  private static final List<PortCounter> NOT_READY =
      List.of(PortCounter.OUT_OF_BUFFER, PortCounter.RNR_NAK_RETRY_ERR);

  private static final List<PortCounter> RETRANSMISSIONS =
      List.of(
          PortCounter.LOCAL_ACK_TIMEOUT_ERR,
          PortCounter.PACKET_SEQ_ERR,
          PortCounter.IMPLIED_NAK_SEQ_ERR,
          PortCounter.OUT_OF_SEQUENCE,
          PortCounter.DUPLICATE_REQUEST);

  private final DeviceContext device;
  private final Map<PortCounter, Long> counted = new EnumMap<>(PortCounter.class);
  private Map<Object, Look> looks = new HashMap<>();

  /** The value of an index at a time. */
  private record Look(int index, long nanos) {

    /**
     * How far an index has moved; an index that was reset has moved from 0.
     *
     * @param bits in which the index is counted; the others are 0
     */
    long moved(int now, int bits) {
      int unused = Integer.SIZE - bits;
      int distance = now - index << unused;
      return distance < 0 ? Integer.toUnsignedLong(now) : distance >>> unused;
    }

    double rate(long moved, long now) {
      return now == nanos ? 0 : moved * NANOS_PER_SECOND / (now - nanos);
    }
  }

  public DeviceRates(DeviceContext device) {
    this.device = device;
  }

  /**
   * Registers the periodic events of all open devices with the recorder. This does not start the
   * recorder; the first recording does.
   */
  static void announce(Set<DeviceImpl> open) {
    FlightRecorder.addListener(
        new FlightRecorderListener() {
          @Override
          public void recorderInitialized(FlightRecorder recorder) {
            open.forEach(device -> device.rates().begin());
            announce(open, QueuePairRateEvent.class, DeviceRates::tellQueuePairs);
            announce(open, CompletionQueueRateEvent.class, DeviceRates::tellCompletionQueues);
            announce(
                open,
                ReceiverNotReadyEvent.class,
                rates -> rates.tell(NOT_READY, ReceiverNotReadyEvent::new));
            announce(
                open,
                RetransmissionEvent.class,
                rates -> rates.tell(RETRANSMISSIONS, RetransmissionEvent::new));
          }
        });
  }

  private static void announce(
      Set<DeviceImpl> open, Class<? extends Event> event, Consumer<DeviceRates> teller) {
    FlightRecorder.addPeriodicEvent(
        event, () -> open.forEach(device -> teller.accept(device.rates())));
  }

  private interface CounterEvents {
    CounterEvent of(String device, String counter, long count, long total);
  }

  private synchronized void tellQueuePairs() {
    forget();
    for (OpenObject open : device.openObjects()) {
      if (open.object() instanceof QueuePairImpl queuePair) {
        int index = queuePair.ring().rungIndex();
        Look now = new Look(index, System.nanoTime());
        Look before = looks.put(queuePair, now);
        long moved = before == null ? index : before.moved(index, SendRing.RUNG_INDEX_BITS);
        new QueuePairRateEvent(
                device.name(),
                queuePair.number(),
                moved,
                before == null ? 0 : before.rate(moved, now.nanos),
                queuePair.ring().outstandingWqebbs())
            .commit();
      }
    }
  }

  private synchronized void tellCompletionQueues() {
    forget();
    for (OpenObject open : device.openObjects()) {
      if (open.object() instanceof CompletionQueueImpl completions) {
        int index = completions.ring().polled();
        Look now = new Look(index, System.nanoTime());
        Look before = looks.put(completions, now);
        long moved =
            before == null ? Integer.toUnsignedLong(index) : before.moved(index, Integer.SIZE);
        new CompletionQueueRateEvent(
                device.name(),
                completions.number(),
                moved,
                before == null ? 0 : before.rate(moved, now.nanos))
            .commit();
      }
    }
  }

  /** Removes the entries of closed objects. */
  private void forget() {
    Map<Object, Look> kept = new HashMap<>();
    for (OpenObject open : device.openObjects()) {
      Look look = looks.get(open.object());
      if (look != null) {
        kept.put(open.object(), look);
      }
    }
    looks = kept;
  }

  /**
   * Reads the counters as they are before the first event: a device process or a card counts longer
   * than this process has it open. Call it when the device is opened or the recorder is
   * initialized.
   */
  synchronized void begin() {
    counted.putAll(counters());
  }

  /** The counters; empty if the device was closed or lost meanwhile and has nothing to report. */
  private Map<PortCounter, Long> counters() {
    try {
      device.requireOpen();
      return device.hca().counters();
    } catch (RuntimeException e) {
      return Map.of();
    }
  }

  private synchronized void tell(List<PortCounter> counters, CounterEvents events) {
    Map<PortCounter, Long> now = counters();
    for (PortCounter counter : counters) {
      Long total = now.get(counter);
      if (total != null) {
        Long before = counted.put(counter, total);
        long rise = before == null ? 0 : counter.rise(before, total);
        if (rise != 0) {
          events.of(device.name(), counter.fileName(), rise, total).commit();
        }
      }
    }
  }
}
