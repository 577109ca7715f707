package dev.bluebell.softnic.transport;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.text.WqeText;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.diagnosis.FlightRecorder;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.SendQueue;
import dev.bluebell.softnic.queue.SendWqe;
import dev.bluebell.softnic.queue.VendorSyndrome;
import dev.bluebell.softnic.queue.WqeDecoder;
import org.jspecify.annotations.Nullable;

/**
 * The two ends of work requests of a send queue: takes WQEs from the ring, and later gives them
 * back and writes the completions that they ask for or that their failure needs. Owned by whoever
 * runs the engine.
 */
final class SendRequests {
  private final FlightRecorder recorder;
  private final QpIdentity self;
  private final Lifecycle life;
  private final SendQueue sendQueue;
  private final Outstanding outstanding;
  private final CompletionQueue queue;
  private final @Nullable StreamLane lane;
  private final @Nullable Rendezvous rendezvous;
  private final int number;
  private final int userIndex;

  /** The requests of a whole send queue of a client. */
  SendRequests(
      Chip chip,
      QpIdentity self,
      Lifecycle life,
      SendQueue sendQueue,
      Outstanding outstanding,
      CompletionQueue queue) {
    this(chip, self, life, sendQueue, outstanding, queue, null, null);
  }

  /**
   * @param lane takes WQEs from the ring for one stream of the queue; null for the whole queue
   * @param rendezvous whose requests these are, which then hears of them in place of the CQ; null
   *     for the requests of clients
   */
  SendRequests(
      Chip chip,
      QpIdentity self,
      Lifecycle life,
      SendQueue sendQueue,
      Outstanding outstanding,
      CompletionQueue queue,
      @Nullable StreamLane lane,
      @Nullable Rendezvous rendezvous) {
    this.rendezvous = rendezvous;
    recorder = chip.recorder();
    this.self = self;
    this.life = life;
    this.sendQueue = sendQueue;
    this.outstanding = outstanding;
    this.queue = queue;
    this.lane = lane;
    number = self.number();
    userIndex = self.userIndex();
  }

  /**
   * Fetches the next WQE and decodes it into {@link Outstanding#next}, which is for the caller to
   * push; false when there is none. What is wrong with it, the fault says.
   *
   * @param limit bytes that a message may have
   */
  boolean fetch(WqeDecoder decoder, long limit, Fault fault) {
    int index = lane == null ? sendQueue.nextIndex() : lane.next();
    SendQueue.Fetch found = lane == null ? sendQueue.fetch(fault) : lane.take();
    if (found == SendQueue.Fetch.NOTHING) {
      return false;
    }
    SendWqe wqe = outstanding.next();
    if (found == SendQueue.Fetch.FAULT) {
      wqe.decodeUnfetched(index);
    } else {
      decoder.decode(sendQueue, index, limit, wqe, fault);
      noteFetched(wqe);
    }
    return true;
  }

  private void noteFetched(SendWqe wqe) {
    if (recorder.isTracing(number)) {
      String text = WqeText.disassemble(sendQueue.copy(wqe.index(), wqe.ds()), self.service());
      recorder.recordTraced(HcaHappening.FETCHED, number, wqe.index(), wqe.opcode(), text);
    } else {
      recorder.record(HcaHappening.FETCHED, number, wqe.index(), wqe.opcode());
    }
  }

  /** Gives the WQEBBs of a fetched WQE back. */
  private void retire(SendWqe wqe) {
    if (lane == null) {
      sendQueue.retire(wqe.wqebbs());
    } else {
      lane.retire(wqe.index());
    }
  }

  /** Completes the oldest request; false when the CQ is overrun. */
  boolean complete() {
    int entry = outstanding.head();
    SendWqe wqe = outstanding.wqe(entry);
    retire(wqe);
    outstanding.pop();
    if (rendezvous != null) {
      return rendezvous.complete(wqe);
    }
    if (!wqe.isSignaled()) {
      return true;
    }
    boolean hasRoom =
        wqe.isAnswered()
            ? completeAnswered(wqe, entry)
            : queue.completeRequest(number, userIndex, wqe.opcode(), wqe.index(), 0);
    if (hasRoom && wqe.raisesEvent()) {
      queue.solicit();
    }
    return hasRoom;
  }

  private boolean completeAnswered(SendWqe wqe, int entry) {
    return outstanding.isInline(entry)
        ? queue.completeRequest(
            number,
            userIndex,
            wqe.opcode(),
            wqe.index(),
            wqe.bytes(),
            outstanding.answer(entry),
            outstanding.inline().format())
        : queue.completeRequest(number, userIndex, wqe.opcode(), wqe.index(), wqe.bytes());
  }

  /** Completes the oldest request with what a fault says, which is cleared. */
  void fail(Fault fault) {
    int syndrome = fault.syndrome();
    int vendorSyndrome = fault.vendorSyndrome();
    String explanation = fault.explanation();
    fault.clear();
    fail(syndrome, vendorSyndrome, explanation);
  }

  /** Completes the oldest request in error, which ends the send queue. */
  void fail(int syndrome, int vendorSyndrome, String explanation) {
    SendWqe wqe = outstanding.wqe(outstanding.head());
    int index = wqe.index();
    int opcode = wqe.opcode();
    int ds = wqe.ds();
    if (wasFetched(wqe)) {
      retire(wqe);
    } else {
      long first = sendQueue.skip();
      opcode = ControlSegment.opcode(first);
      ds = ControlSegment.ds(first);
    }
    recorder.recordFailure(
        queue.client(),
        HcaHappening.FAILED,
        number,
        index,
        0,
        WqeText.disassemble(sendQueue.copy(index, ds), self.service()));
    outstanding.pop();
    String sentence =
        "QP 0x%x send WQE %d (opcode %s, ds %d): %s"
            .formatted(number, index, WqeOpcode.name(opcode), ds, explanation);
    if (rendezvous != null) {
      life.failSends(sentence);
      life.raise(HcaEvent.WQ_CATASTROPHIC);
    } else if (queue.completeError(
        CqeOpcode.REQ_ERR, number, userIndex, opcode, index, syndrome, vendorSyndrome, sentence)) {
      life.failSends(sentence);
    } else {
      life.failUnreported(sentence);
    }
  }

  /** Moves the queue pair to ERR, because a completion found the CQ overrun. */
  void failAtOverrun() {
    int full = rendezvous == null ? queue.number() : rendezvous.completionQueue();
    life.failUnreported("its send CQ 0x%x is overrun".formatted(full));
  }

  // An entry without WQEBBs stands for a WQE that could not even be fetched; it is still in the
  // ring.
  private static boolean wasFetched(SendWqe wqe) {
    return wqe.wqebbs() != 0;
  }

  /** Completes everything that was fetched with a flush error. */
  void flushOutstanding(String cause) {
    while (!outstanding.isEmpty()) {
      SendWqe wqe = outstanding.wqe(outstanding.head());
      if (!wasFetched(wqe)) {
        break;
      }
      retire(wqe);
      outstanding.pop();
      if (!flush(wqe.opcode(), wqe.completion(), wqe.index(), cause)) {
        break;
      }
    }
    outstanding.clear();
    if (rendezvous != null) {
      rendezvous.cancel(cause);
    }
  }

  /**
   * Completes what is posted and not fetched with a flush error.
   *
   * @param most requests of a ring after which to stop; a lane has few
   * @return how many
   */
  int flushPosted(String cause, int most) {
    return lane == null ? flushRing(cause, most) : flushLane(lane, cause);
  }

  private int flushLane(StreamLane flushed, String cause) {
    int done = 0;
    boolean hasRoom = true;
    while (!flushed.isEmpty()) {
      int index = flushed.next();
      long at = sendQueue.snapshot(index);
      long first = Memory.getLong(at);
      int control = ControlSegment.fmCeSe(Memory.getLong(at + Long.BYTES));
      flushed.drop();
      flushed.retire(index);
      done++;
      hasRoom =
          hasRoom
              && flush(
                  ControlSegment.opcode(first), control & ControlSegment.CE_MASK, index, cause);
    }
    return done;
  }

  private int flushRing(String cause, int most) {
    int done = 0;
    while (done < most && sendQueue.pending() != 0) {
      int index = sendQueue.nextIndex();
      int control = ControlSegment.fmCeSe(sendQueue.secondWord(index));
      long first = sendQueue.skip();
      done++;
      if (!flush(ControlSegment.opcode(first), control & ControlSegment.CE_MASK, index, cause)) {
        break;
      }
    }
    return done;
  }

  // CE 1 asks for a CQE of the queue's first error only, which is not a flush.
  private boolean flush(int opcode, int completion, int index, String cause) {
    return rendezvous != null
        || completion == ControlSegment.CE_ON_FIRST_ERROR
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
