package dev.bluebell.softnic.transport.operation;

import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.HcaObserver;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.SendQueue;
import dev.bluebell.softnic.queue.SendWqe;

/**
 * Tells of requests that begin as they were fetched, while their memory says something else by now:
 * a client that writes its own requests lacks an order there. Owned by one requester.
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

  /** A request begins, or goes on. */
  public void begins(SendWqe wqe) {
    if (wqe.isWatchedFirst() && queue.hasChanged(wqe.index(), wqe.ds())) {
      chip.recorder().record(HcaHappening.CHANGED, number, wqe.index(), wqe.opcode());
      chip.explanations()
          .add(
              HcaObserver.Subject.QUEUE_PAIR,
              number,
              "WQE %d of queue 0x%x was changed after it was fetched: it is executed as %s, as it was when it was fetched. Write it before it is enabled, or before its doorbell if the queue is not managed"
                  .formatted(wqe.index(), number, WqeOpcode.name(wqe.opcode())));
    }
  }
}
