package dev.bluebell.softnic.doorbell;

import dev.bluebell.hca.HcaObserver.Subject;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.softnic.diagnosis.DeviceTime;
import dev.bluebell.softnic.diagnosis.Explanations;
import dev.bluebell.softnic.engine.Scheduler;
import dev.bluebell.softnic.engine.Work;
import dev.bluebell.softnic.injection.Chance;
import dev.bluebell.softnic.injection.Faults;
import dev.bluebell.softnic.option.FaultKind;
import dev.bluebell.softnic.option.FaultRule;
import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Fault injection for send doorbells: loses them, or holds them back for a time. The next doorbell
 * of the same queue pair starts all requests that the record counts, as usual. Owned by the thread
 * that runs the engine.
 */
public final class DoorbellFaults extends Work {
  private static final Set<FaultKind> KINDS =
      EnumSet.of(FaultKind.DROP_DOORBELL, FaultKind.DELAY_DOORBELL);

  /** The most doorbells held back at a time; further ones are lost. */
  private static final int MOST = 1024;

  private final Faults faults;
  private final DeviceTime time;
  private final Scheduler scheduler;
  private final Explanations explanations;
  private final Map<Integer, Optional<Chance>> chances = new HashMap<>();
  private final ArrayDeque<Late> late = new ArrayDeque<>();

  private record Late(long due, PageWatch watch, long doorbell) {}

  public DoorbellFaults(
      Faults faults, DeviceTime time, Scheduler scheduler, Explanations explanations) {
    this.faults = faults;
    this.time = time;
    this.scheduler = scheduler;
    this.explanations = explanations;
  }

  /** Counts a doorbell; returns true when it is lost or held back. */
  boolean takes(PageWatch watch, long doorbell) {
    int qpn = ControlSegment.qpn(doorbell);
    Chance chance =
        chances
            .computeIfAbsent(qpn, number -> Optional.ofNullable(faults.ofQueuePair(KINDS, number)))
            .orElse(null);
    FaultRule met = chance == null ? null : chance.next();
    if (chance == null || met == null) {
      return false;
    }
    boolean delayed = met.kind() == FaultKind.DELAY_DOORBELL && late.size() < MOST;
    explanations.add(
        Subject.QUEUE_PAIR,
        qpn,
        "doorbell %d of QP 0x%x, for WQE %d, is %s because of an injected fault (%s)"
            .formatted(
                chance.count(),
                qpn,
                ControlSegment.wqeIndex(doorbell),
                delayed
                    ? "held back for %,d µs"
                        .formatted(TimeUnit.NANOSECONDS.toMicros(met.delayNanos()))
                    : "lost",
                faults.describe(met)));
    if (delayed) {
      time.renew();
      late.add(new Late(time.now() + met.delayNanos(), watch, doorbell));
      scheduler.schedule(this);
    }
    return true;
  }

  @Override
  protected long deadline() {
    long next = Long.MAX_VALUE;
    for (Late each : late) {
      next = Math.min(next, each.due);
    }
    return next;
  }

  @Override
  protected void onTimer() {
    for (int i = late.size(); i > 0; i--) {
      Late each = late.remove();
      if (each.due <= time.now()) {
        each.watch.ringLate(each.doorbell);
      } else {
        late.add(each);
      }
    }
    scheduler.schedule(this);
  }

  @Override
  protected void abandon(String why) {
    explanations.add(why);
  }
}
