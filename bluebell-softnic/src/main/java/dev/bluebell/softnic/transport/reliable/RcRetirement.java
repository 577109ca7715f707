package dev.bluebell.softnic.transport.reliable;

import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.roce.packet.Psn;
import dev.bluebell.softnic.timing.Pace;
import dev.bluebell.softnic.transport.connection.Connection;
import dev.bluebell.softnic.transport.connection.Lifecycle;
import dev.bluebell.softnic.transport.operation.Outstanding;
import dev.bluebell.softnic.transport.operation.RefusedRequest;
import dev.bluebell.softnic.transport.operation.SendRequests;
import org.jspecify.annotations.Nullable;

/**
 * Retires the outstanding requests of a reliable connection in order: completes each that is done,
 * and fails the one that can't be. Owned by the thread that runs the engine.
 */
final class RcRetirement {
  private final Lifecycle life;
  private final Connection connection;
  private final Outstanding outstanding;
  private final PsnWindow window;
  private final RefusedRequest refused;
  private final SendRequests requests;
  private final RcSender sender;
  private final @Nullable Pace pace;

  /**
   * @param pace decides when requests begin; null without virtual time
   */
  RcRetirement(
      Lifecycle life,
      Outstanding outstanding,
      PsnWindow window,
      RefusedRequest refused,
      SendRequests requests,
      RcSender sender,
      Connection connection,
      @Nullable Pace pace) {
    this.life = life;
    this.outstanding = outstanding;
    this.window = window;
    this.refused = refused;
    this.requests = requests;
    this.sender = sender;
    this.connection = connection;
    this.pace = pace;
  }

  /**
   * Completes acknowledged requests, oldest first; then fails the request that can't be executed,
   * if it is the next.
   */
  void retire() {
    boolean more = true;
    while (more && !outstanding.isEmpty()) {
      more = retireOldest();
    }
  }

  /**
   * Completes the oldest request if it is the one at an index of the ring, and acknowledged; true
   * when it did.
   */
  boolean retire(int index) {
    return !outstanding.isEmpty()
        && outstanding.wqe(outstanding.head()).index() == index
        && retireOldest();
  }

  private boolean retireOldest() {
    int entry = outstanding.head();
    if (refused.is(entry)) {
      if (life.state() != QpState.ERR) {
        requests.fail(refused.fault());
      }
      return false;
    }
    if (Psn.distance(outstanding.endPsn(entry), window.unacked()) < 0
        || sender.isToDo(entry)
        || pace != null && isToBegin(entry)) {
      return false;
    }
    boolean hasRoom = requests.complete();
    sender.noteRetired();
    if (!hasRoom) {
      requests.failAtOverrun();
    }
    return hasRoom;
  }

  /** True for a NOP whose time has not come: only its time shows that it is done. */
  private boolean isToBegin(int entry) {
    return entry == sender.cursor() && outstanding.wqe(entry).opcode() == WqeOpcode.NOP;
  }

  /** Completes acknowledged requests, and fails the one behind them for this reason. */
  void failOldest(int syndrome, int vendorSyndrome, String explanation) {
    retire();
    if (outstanding.isEmpty() || life.state() == QpState.ERR) {
      // Retiring acknowledged requests has reached another one that failed.
      return;
    }
    refused.clear();
    requests.fail(syndrome, vendorSyndrome, explanation + connection.andFarPeer());
  }
}
