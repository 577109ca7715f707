package dev.bluebell.softnic.transport.operation;

import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.softnic.injection.Chance;
import dev.bluebell.softnic.injection.Faults;
import dev.bluebell.softnic.option.FaultKind;
import dev.bluebell.softnic.option.FaultRule;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.VendorSyndrome;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lets send requests of a queue pair fail on purpose: each is counted when it is fetched, and one
 * that meets a fault fails as one that can't be executed, after all before it. The other end hears
 * nothing of it.
 */
public final class RequestFaults {
  private static final Set<FaultKind> KINDS = EnumSet.of(FaultKind.REQUEST);

  private final Faults faults;
  private final @Nullable Chance chance;

  private RequestFaults(Faults faults, int number) {
    this.faults = faults;
    chance = faults.chance(KINDS, number);
  }

  /** Those of a queue pair; null on a device that injects none. */
  public static @Nullable RequestFaults of(Chip chip, int number) {
    Faults faults = chip.faults();
    return faults == null ? null : new RequestFaults(faults, number);
  }

  /** Counts a request; the fault says when it is to fail. */
  public void count(Fault fault) {
    faults.countRequest();
    if (chance == null) {
      return;
    }
    FaultRule met = chance.next();
    if (met != null && !fault.isSet()) {
      fault.set(
          met.syndrome(),
          vendorSyndrome(met.syndrome()),
          "it is failed on purpose: request %d of its queue pair (%s)"
              .formatted(chance.count(), faults.describe(met)));
    }
  }

  private static int vendorSyndrome(int syndrome) {
    return switch (syndrome) {
      case Syndrome.LOCAL_PROT_ERR -> VendorSyndrome.LOCAL_PROTECTION;
      case Syndrome.MW_BIND_ERR -> VendorSyndrome.UMR;
      case Syndrome.REMOTE_INVAL_REQ_ERR -> VendorSyndrome.REMOTE_INVALID_REQUEST;
      case Syndrome.REMOTE_ACCESS_ERR -> VendorSyndrome.REMOTE_ACCESS;
      case Syndrome.REMOTE_OP_ERR -> VendorSyndrome.REMOTE_OPERATION;
      case Syndrome.TRANSPORT_RETRY_EXC_ERR -> VendorSyndrome.RETRIES_EXCEEDED;
      case Syndrome.RNR_RETRY_EXC_ERR -> VendorSyndrome.RNR_RETRIES_EXCEEDED;
      default -> VendorSyndrome.UNKNOWN;
    };
  }
}
