package dev.bluebell.softnic.transport.operation;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.queue.SendWqe;
import dev.bluebell.softnic.queue.VendorSyndrome;
import dev.bluebell.softnic.transport.connection.Lifecycle;
import dev.bluebell.softnic.transport.connection.QpIdentity;

/** Reports the requests of a client to the completion queue of its send queue. */
public final class CqReports implements RequestReports {
  private final Lifecycle life;
  private final CompletionQueue queue;
  private final int number;
  private final int userIndex;
  private final int pd;

  public CqReports(QpIdentity self, Lifecycle life, CompletionQueue queue) {
    this.life = life;
    this.queue = queue;
    number = self.number();
    userIndex = self.userIndex();
    pd = self.pd();
  }

  @Override
  public boolean complete(SendWqe wqe, Outstanding outstanding, int entry) {
    if (!wqe.isSignaled()) {
      return true;
    }
    boolean hasRoom =
        wqe.isAnswered()
            ? completeAnswered(wqe, outstanding, entry)
            : queue.completeRequest(number, userIndex, wqe.opcode(), wqe.index(), 0);
    if (hasRoom && wqe.raisesEvent()) {
      queue.solicit();
    }
    return hasRoom;
  }

  private boolean completeAnswered(SendWqe wqe, Outstanding outstanding, int entry) {
    if (!outstanding.isInline(entry)) {
      return queue.completeRequest(number, userIndex, wqe.opcode(), wqe.index(), wqe.bytes());
    }
    return queue.complete(
        queue
            .next(CqeOpcode.REQ, number, userIndex, wqe.index())
            .sendOpcode(wqe.opcode())
            .bytes(wqe.bytes())
            .data(outstanding.answer(entry), outstanding.inline().format()));
  }

  @Override
  public void fail(int opcode, int index, int syndrome, int vendorSyndrome, String sentence) {
    if (queue.completeError(
        CqeOpcode.REQ_ERR, number, userIndex, opcode, index, syndrome, vendorSyndrome, sentence)) {
      life.failSends(sentence);
    } else {
      life.failUnreported(sentence);
    }
  }

  // CE 1 requests a CQE only for the first error of the queue, and a flush is not the first.
  @Override
  public boolean flush(int opcode, int completion, int index, String cause) {
    return completion == ControlSegment.CE_ON_FIRST_ERROR
        || queue.completeError(
            CqeOpcode.REQ_ERR,
            number,
            userIndex,
            opcode,
            index,
            Syndrome.WR_FLUSH_ERR,
            VendorSyndrome.FLUSHED,
            cause);
  }

  @Override
  public int pd() {
    return pd;
  }

  @Override
  public int completionQueue() {
    return queue.number();
  }
}
