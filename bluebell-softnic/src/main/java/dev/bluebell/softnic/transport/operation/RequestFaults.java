package dev.bluebell.softnic.transport.operation;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.softnic.injection.Chance;
import dev.bluebell.softnic.injection.Faults;
import dev.bluebell.softnic.option.FaultKind;
import dev.bluebell.softnic.option.FaultRule;
import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.VendorSyndrome;
import dev.bluebell.softnic.transport.connection.End;
import dev.bluebell.softnic.transport.connection.Lifecycle;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Injects failures of send requests, or of their queue pair. Each request is counted when it is
 * fetched; one that meets a fault fails like a request that can't be executed, after all earlier
 * ones. The peer does not notice.
 */
public final class RequestFaults {
  private static final Set<FaultKind> KINDS = EnumSet.of(FaultKind.REQUEST, FaultKind.QP_ERROR);

  private final Faults faults;
  private final Lifecycle life;
  private final @Nullable Chance chance;

  private RequestFaults(Faults faults, End end) {
    this.faults = faults;
    life = end.life();
    chance = faults.ofQueuePair(KINDS, end.self().number());
  }

  /** The injected faults of a queue pair; null on a device without fault injection. */
  public static @Nullable RequestFaults of(End end) {
    Faults faults = end.chip().faults();
    return faults == null ? null : new RequestFaults(faults, end);
  }

  /** Counts a request; sets the fault when it is to fail. */
  public void count(Fault fault) {
    faults.countRequest();
    if (chance == null) {
      return;
    }
    FaultRule met = chance.next();
    if (met == null || fault.isSet()) {
      return;
    }
    if (met.kind() == FaultKind.QP_ERROR) {
      fault.set(
          Syndrome.WR_FLUSH_ERR,
          VendorSyndrome.FLUSHED,
          "its queue pair goes to the error state because of an injected fault at request %d (%s)"
              .formatted(chance.count(), faults.describe(met)));
      life.raise(HcaEvent.WQ_CATASTROPHIC);
    } else {
      fault.set(
          met.syndrome(),
          vendorSyndrome(met.syndrome()),
          "it fails because of an injected fault: request %d of its queue pair (%s)"
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
