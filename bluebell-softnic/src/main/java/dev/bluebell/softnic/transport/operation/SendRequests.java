package dev.bluebell.softnic.transport.operation;

import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.text.WqeText;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.diagnosis.FlightRecorder;
import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.SendQueue;
import dev.bluebell.softnic.queue.SendWqe;
import dev.bluebell.softnic.queue.WqeDecoder;
import dev.bluebell.softnic.transport.connection.End;
import dev.bluebell.softnic.transport.connection.Lifecycle;
import dev.bluebell.softnic.transport.connection.QpIdentity;
import org.jspecify.annotations.Nullable;

/**
 * Fetches the WQEs of a send queue from its ring, and retires them, with the completions that they
 * request or that their failure needs. Owned by the thread that runs the engine.
 */
public final class SendRequests {
  private final FlightRecorder recorder;
  private final QpIdentity self;
  private final Lifecycle life;
  private final SendQueue sendQueue;
  private final WqeSource source;
  private final Outstanding outstanding;
  private final CompletionQueue queue;
  private final RequestReports reports;
  private final @Nullable RequestFaults injected;
  private final int number;

  public SendRequests(End end, SendSide sends, Outstanding outstanding) {
    recorder = end.chip().recorder();
    self = end.self();
    life = end.life();
    sendQueue = sends.queue();
    source = sends.source();
    this.outstanding = outstanding;
    queue = sends.completions();
    reports = sends.reports();
    injected = sends.injected();
    number = self.number();
  }

  /**
   * Fetches the next WQE and decodes it into {@link Outstanding#next}, which the caller must push;
   * false when there is none. An invalid WQE sets the fault.
   *
   * @param limit most bytes of a message
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
    if (injected != null) {
      injected.count(fault);
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
    return reports.complete(wqe, outstanding, entry);
  }

  /** Completes the oldest request with the error of a fault, and clears the fault. */
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
    String name = WqeOpcode.name(opcode);
    if (wasFetched(wqe)) {
      name += KeyChanges.purpose(wqe);
      source.retire(wqe);
    } else {
      long first = source.skip();
      opcode = ControlSegment.opcode(first);
      name = WqeOpcode.name(opcode);
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
            .formatted(number, index, name, ds, explanation);
    reports.fail(opcode, index, syndrome, vendorSyndrome, sentence);
  }

  /** Moves the queue pair to ERR, because a completion found the CQ overrun. */
  public void failAtOverrun() {
    life.failUnreported("its send CQ 0x%x is overrun".formatted(reports.completionQueue()));
  }

  // An entry without WQEBBs stands for a WQE that could not be fetched, and is still in the ring.
  private static boolean wasFetched(SendWqe wqe) {
    return wqe.wqebbs() != 0;
  }

  /** Completes all fetched requests with a flush error. */
  public void flushOutstanding(String cause) {
    while (!outstanding.isEmpty()) {
      SendWqe wqe = outstanding.wqe(outstanding.head());
      if (!wasFetched(wqe)) {
        break;
      }
      source.retire(wqe);
      outstanding.pop();
      if (!reports.flush(wqe.opcode(), wqe.completion(), wqe.index(), cause)) {
        break;
      }
    }
    outstanding.clear();
    reports.cancel(cause);
  }

  /**
   * Completes, with a flush error, posted requests that were not fetched.
   *
   * @param most bound on the number of requests
   * @return how many
   */
  public int flushPosted(String cause, int most) {
    int done = 0;
    while (done < most && source.hasPosted()) {
      int index = source.nextIndex();
      int control = ControlSegment.fmCeSe(source.secondWord());
      long first = source.skip();
      done++;
      if (!reports.flush(
          ControlSegment.opcode(first), control & ControlSegment.CE_MASK, index, cause)) {
        return done + source.abandon();
      }
    }
    return done;
  }
}
