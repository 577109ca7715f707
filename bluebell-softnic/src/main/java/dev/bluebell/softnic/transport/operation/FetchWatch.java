package dev.bluebell.softnic.transport.operation;

import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.SendQueue;
import dev.bluebell.softnic.queue.SendWqe;

/**
 * Reports WQEs that are modified after they were fetched: a client that writes its own WQEs has
 * missed an ordering there. Owned by one requester.
 */
public final class FetchWatch {
  private final Chip chip;
  private final int number;
  private final SendQueue queue;

  public FetchWatch(Chip chip, int number, SendQueue queue) {
    this.chip = chip;
    this.number = number;
    this.queue = queue;
  }

  /** Checks a request that begins or continues. */
  public void begins(SendWqe wqe) {
    if (wqe.isWatchedFirst() && queue.hasChanged(wqe.index(), wqe.ds())) {
      chip.recorder().record(HcaHappening.CHANGED, number, wqe.index(), wqe.opcode());
      chip.explainQueuePair(
          number,
          "WQE %d of queue 0x%x was changed after it was fetched: the device executes the version that it fetched, %s. Write the WQE before it is enabled, or before its doorbell if the queue is not managed"
              .formatted(wqe.index(), number, WqeOpcode.name(wqe.opcode())));
    }
  }
}
