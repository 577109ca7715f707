package dev.bluebell.softnic.transport.operation;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
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
import dev.bluebell.softnic.transport.connection.Lifecycle;
import dev.bluebell.softnic.transport.connection.QpIdentity;
import org.jspecify.annotations.Nullable;

/**
 * The two ends of work requests of a send queue: takes WQEs from the ring, and later gives them
 * back and writes the completions that they ask for or that their failure needs. Owned by whoever
 * runs the engine.
 */
public final class SendRequests {
  private final FlightRecorder recorder;
  private final QpIdentity self;
  private final Lifecycle life;
  private final SendQueue sendQueue;
  private final Outstanding outstanding;
  private final CompletionQueue queue;
  private final WqeSource source;
  private final @Nullable Rendezvous rendezvous;
  private final int number;
  private final int userIndex;

  /**
   * @param source takes WQEs from the ring of the send queue
   * @param rendezvous whose requests these are, which then hears of them in place of the CQ; null
   *     for the requests of clients
   */
  public SendRequests(
      Chip chip,
      QpIdentity self,
      Lifecycle life,
      SendQueue sendQueue,
      WqeSource source,
      Outstanding outstanding,
      CompletionQueue queue,
      @Nullable Rendezvous rendezvous) {
    this.rendezvous = rendezvous;
    recorder = chip.recorder();
    this.self = self;
    this.life = life;
    this.sendQueue = sendQueue;
    this.outstanding = outstanding;
    this.queue = queue;
    this.source = source;
    number = self.number();
    userIndex = self.userIndex();
  }

  /**
   * Fetches the next WQE and decodes it into {@link Outstanding#next}, which is for the caller to
   * push; false when there is none. What is wrong with it, the fault says.
   *
   * @param limit bytes that a message may have
   */
  public boolean fetch(WqeDecoder decoder, long limit, Fault fault) {
    int index = source.nextIndex();
    SendQueue.Fetch found = source.fetch(fault);
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

  /** Completes the oldest request; false when the CQ is overrun. */
  public boolean complete() {
    int entry = outstanding.head();
    SendWqe wqe = outstanding.wqe(entry);
    source.retire(wqe);
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
  public void fail(Fault fault) {
    int syndrome = fault.syndrome();
    int vendorSyndrome = fault.vendorSyndrome();
    String explanation = fault.explanation();
    fault.clear();
    fail(syndrome, vendorSyndrome, explanation);
  }

  /** Completes the oldest request in error, which ends the send queue. */
  public void fail(int syndrome, int vendorSyndrome, String explanation) {
    SendWqe wqe = outstanding.wqe(outstanding.head());
    int index = wqe.index();
    int opcode = wqe.opcode();
    int ds = wqe.ds();
    if (wasFetched(wqe)) {
      source.retire(wqe);
    } else {
      long first = source.skip();
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
  public void failAtOverrun() {
    int full = rendezvous == null ? queue.number() : rendezvous.completionQueue();
    life.failUnreported("its send CQ 0x%x is overrun".formatted(full));
  }

  // An entry without WQEBBs stands for a WQE that could not even be fetched; it is still in the
  // ring.
  private static boolean wasFetched(SendWqe wqe) {
    return wqe.wqebbs() != 0;
  }

  /** Completes everything that was fetched with a flush error. */
  public void flushOutstanding(String cause) {
    while (!outstanding.isEmpty()) {
      SendWqe wqe = outstanding.wqe(outstanding.head());
      if (!wasFetched(wqe)) {
        break;
      }
      source.retire(wqe);
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
   * @param most requests after which to stop
   * @return how many
   */
  public int flushPosted(String cause, int most) {
    int done = 0;
    while (done < most && source.hasPosted()) {
      int index = source.nextIndex();
      int control = ControlSegment.fmCeSe(source.secondWord());
      long first = source.skip();
      done++;
      if (!flush(ControlSegment.opcode(first), control & ControlSegment.CE_MASK, index, cause)) {
        return done + source.abandon();
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
