package dev.bluebell.softnic.transport.receive;

import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.softnic.injection.Chance;
import dev.bluebell.softnic.injection.Faults;
import dev.bluebell.softnic.option.FaultKind;
import dev.bluebell.softnic.option.FaultRule;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.transport.connection.QpIdentity;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Injects RNR NAKs: for some time, a queue pair responds as if no receive WQE were posted. The rule
 * counts messages that need a receive WQE, but not their retries during a storm. Owned by the
 * thread that runs the engine.
 */
final class ReceiveStorm {
  private static final Set<FaultKind> KINDS = EnumSet.of(FaultKind.RNR);
  private static final Set<ServiceType> UNRELIABLE = EnumSet.of(ServiceType.UC, ServiceType.UD);

  private final Chip chip;
  private final QpIdentity self;
  private final Faults faults;
  private final Chance chance;
  private boolean blows;
  private long end;
  private String why = "";

  private ReceiveStorm(Chip chip, QpIdentity self, Faults faults, Chance chance) {
    this.chip = chip;
    this.self = self;
    this.faults = faults;
    this.chance = chance;
  }

  /** The storm of a queue pair; null if none is configured, or for an unreliable service. */
  static @Nullable ReceiveStorm of(Chip chip, QpIdentity self) {
    Faults faults = chip.faults();
    if (faults == null || UNRELIABLE.contains(self.service())) {
      return null;
    }
    Chance chance = faults.ofQueuePair(KINDS, self.number());
    return chance == null ? null : new ReceiveStorm(chip, self, faults, chance);
  }

  /** Counts a message that needs a receive WQE; true when it must not get one. */
  boolean holds() {
    chip.time().renew();
    if (blows && chip.time().now() < end) {
      return true;
    }
    blows = false;
    FaultRule met = chance.next();
    if (met == null) {
      return false;
    }
    blows = true;
    end = chip.time().now() + met.delayNanos();
    why =
        "because of an injected fault, %s answers for %,d µs as if it had no receive WQE posted, from message %d on (%s)"
            .formatted(
                self.name(),
                TimeUnit.NANOSECONDS.toMicros(met.delayNanos()),
                chance.count(),
                faults.describe(met));
    chip.explainQueuePair(self.number(), why);
    return true;
  }

  /** Explains why messages get no receive WQE. */
  String why() {
    return why;
  }
}
