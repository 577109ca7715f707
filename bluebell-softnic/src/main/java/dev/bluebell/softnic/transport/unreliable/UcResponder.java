package dev.bluebell.softnic.transport.unreliable;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.structure.View;
import dev.bluebell.roce.packet.Aeth;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.roce.packet.Psn;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.transport.connection.Drops;
import dev.bluebell.softnic.transport.connection.End;
import dev.bluebell.softnic.transport.connection.ReceiveSource;
import dev.bluebell.softnic.transport.receive.Deliveries;
import dev.bluebell.softnic.transport.receive.Refusals;
import dev.bluebell.softnic.transport.receive.WriteDelivery;

/**
 * The responder of an unreliable connection: executes SENDs and RDMA WRITEs that arrive complete
 * and in PSN order, and silently drops all other messages. The receive WQE of a partly received,
 * dropped message serves the next one. Pure logic. Owned by the thread that runs the engine.
 */
public final class UcResponder extends UnreliableResponder {
  private final WriteDelivery writes;

  private int expected;
  private boolean established;

  // True while the remaining packets of a dropped message are skipped.
  private boolean skipping;

  /**
   * @param source the receive queue of messages
   */
  public UcResponder(End end, ReceiveSource source, Drops drops) {
    super(end, source, drops);
    writes = new WriteDelivery(end.chip(), end.self(), arrival);
  }

  @Override
  public int expectedPsn() {
    return expected;
  }

  @Override
  public void reset() {
    super.reset();
    established = false;
    skipping = false;
  }

  @Override
  public void start(View qpc) {
    expected = qpc.getInt(Qpc.NEXT_RCV_PSN);
  }

  @Override
  public void configure(View qpc) {
    sends.putDataInCqes(qpc.getInt(Qpc.CS_RES));
    writes.allow(qpc.isSet(Qpc.RWE));
  }

  /**
   * Requests that can't be executed are dropped, counted and explained here; the sender gets no
   * report.
   */
  @Override
  public String receive(Packet request) {
    String stranger = connection.whyNot(request, life);
    if (!stranger.isEmpty()) {
      // Its PSN has no meaning for this connection.
      drops.drop(request.psn, stranger);
      return "";
    }
    if (life.state() == QpState.RTR && !established) {
      established = true;
      life.raise(HcaEvent.COMMUNICATION_ESTABLISHED);
    }
    boolean first = BthOpcode.isFirst(request.opcode);
    if (request.psn != expected) {
      missed(request, first);
    }
    expected = Psn.add(request.psn, request.packets);
    if (first) {
      start(request);
    }
    if (!skipping) {
      execute(request);
    }
    return "";
  }

  /** Handles a gap in the PSNs: resumes at this request if it starts a message. */
  private void missed(Packet request, boolean first) {
    if (!skipping && (message.isArriving() || !first) && drops.add(request.psn)) {
      drops.explain(
          "its PSN 0x%06x came where PSN 0x%06x of the same message was expected"
              .formatted(request.psn, expected));
    }
    message.abandon();
    skipping = true;
  }

  private void start(Packet request) {
    skipping = false;
    if (message.isArriving()) {
      message.abandon();
      if (drops.add(request.psn)) {
        drops.explain(
            "PSN 0x%06x starts another message before the end of the previous one"
                .formatted(request.psn));
      }
    }
  }

  private void execute(Packet request) {
    int opcode = request.opcode;
    int logMtu = connection.logMtu();
    boolean send = BthOpcode.isSend(opcode) && !BthOpcode.hasInvalidate(opcode);
    boolean done;
    if (!send && !BthOpcode.isWrite(opcode)) {
      done = refusals.opcode(request);
    } else if (!Refusals.fits(request, logMtu)) {
      done = refusals.size(request, logMtu);
    } else {
      done =
          send
              ? sends.deliver(request, source, connection.origin(), 0)
              : writes.deliver(request, source, connection.origin());
    }
    if (!done && refusal.code() != 0) {
      refused(request);
    } else if (done && BthOpcode.isLast(opcode)) {
      Deliveries.note(recorder, number, request);
    }
  }

  // An invalid request is the sender's mistake, of which the sender gets no report. An invalid
  // receive WQE is reported to the client that posted it.
  private void refused(Packet request) {
    boolean fails = held.isHeld() && refusal.code() == Aeth.REMOTE_OPERATION_NAK;
    if (refusal.syndrome() == Syndrome.LOCAL_LENGTH_ERR || fails) {
      fail(
          request,
          "QP 0x%x failed at the message with PSN 0x%06x: %s"
              .formatted(number, request.psn, refusal.explanation()));
    } else {
      drop(request);
    }
    refusal.clear();
    message.abandon();
    skipping = true;
  }
}
