package dev.bluebell.softnic.transport;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.text.WqeText;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.diagnosis.Happening;
import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.queue.SendQueue;
import dev.bluebell.softnic.queue.VendorSyndrome;
import dev.bluebell.softnic.queue.WqeForm;

/**
 * Ends work requests of a send queue: gives their WQEs back to the ring and writes the completions
 * that they ask for or that their failure needs. Owned by whoever runs the engine.
 */
final class SendCompletions {
  private final QueuePair queuePair;
  private final SendQueue sendQueue;
  private final Outstanding outstanding;
  private final CompletionQueue queue;
  private final int number;
  private final int userIndex;

  SendCompletions(QueuePair queuePair, Outstanding outstanding) {
    this.queuePair = queuePair;
    this.outstanding = outstanding;
    sendQueue = queuePair.sendQueue();
    queue = queuePair.sendCompletions();
    number = queuePair.number();
    userIndex = queuePair.userIndex();
  }

  /** Completes the oldest request; false when the CQ is overrun. */
  boolean complete() {
    int entry = outstanding.head();
    int control = outstanding.control(entry);
    int opcode = outstanding.opcode(entry);
    int index = outstanding.wqeIndex(entry);
    int bytes = WqeForm.fetches(opcode) ? outstanding.bytes(entry) : 0;
    sendQueue.retire(outstanding.wqebbs(entry));
    outstanding.pop();
    return (control & ControlSegment.CE_MASK) < ControlSegment.CE_ALWAYS
        || queue.completeRequest(number, userIndex, opcode, index, bytes);
  }

  /** Completes the oldest request in error, which ends the send queue. */
  void fail(int syndrome, int vendorSyndrome, String explanation) {
    int entry = outstanding.head();
    int index = outstanding.wqeIndex(entry);
    int opcode = outstanding.opcode(entry);
    int ds;
    if (wasFetched(entry)) {
      ds = outstanding.wqeBytes(entry) / ControlSegment.BYTES;
      sendQueue.retire(outstanding.wqebbs(entry));
    } else {
      long first = sendQueue.skip();
      opcode = ControlSegment.opcode(first);
      ds = ControlSegment.ds(first);
    }
    queuePair
        .chip()
        .recorder()
        .record(
            Happening.FAILED,
            number,
            index,
            0,
            WqeText.disassemble(sendQueue.copy(index, ds), queuePair.service()));
    outstanding.pop();
    String sentence =
        "QP 0x%x send WQE %d (opcode %s, ds %d): %s"
            .formatted(number, index, WqeOpcode.name(opcode), ds, explanation);
    if (queue.completeError(
        CqeOpcode.REQ_ERR, number, userIndex, opcode, index, syndrome, vendorSyndrome, sentence)) {
      queuePair.failSends(sentence);
    } else {
      queuePair.failUnreported(sentence);
    }
  }

  /** Moves the queue pair to ERR, because a completion found the CQ overrun. */
  void failAtOverrun() {
    queuePair.failUnreported("its send CQ 0x%x is overrun".formatted(queue.number()));
  }

  // An entry without WQEBBs stands for a WQE that could not even be fetched; it is still in the
  // ring.
  private boolean wasFetched(int entry) {
    return outstanding.wqebbs(entry) != 0;
  }

  /** Completes everything that was fetched with a flush error. */
  void flushOutstanding(String cause) {
    while (!outstanding.isEmpty()) {
      int entry = outstanding.head();
      if (!wasFetched(entry)) {
        break;
      }
      sendQueue.retire(outstanding.wqebbs(entry));
      outstanding.pop();
      if (!flush(
          outstanding.opcode(entry),
          outstanding.control(entry),
          outstanding.wqeIndex(entry),
          cause)) {
        break;
      }
    }
    outstanding.clear();
  }

  /** Completes everything that is posted and not fetched with a flush error; how many. */
  int flushPosted(String cause) {
    int done = 0;
    while (sendQueue.pending() != 0) {
      int index = sendQueue.nextIndex();
      int control = ControlSegment.fmCeSe(sendQueue.secondWord(index));
      long first = sendQueue.skip();
      done++;
      if (!flush(ControlSegment.opcode(first), control, index, cause)) {
        break;
      }
    }
    return done;
  }

  // CE 1 asks for a CQE of the queue's first error only, which is not a flush.
  private boolean flush(int opcode, int control, int index, String cause) {
    return (control & ControlSegment.CE_MASK) == ControlSegment.CE_ON_FIRST_ERROR
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
}
