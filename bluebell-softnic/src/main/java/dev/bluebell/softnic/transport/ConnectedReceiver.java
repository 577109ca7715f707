package dev.bluebell.softnic.transport;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.command.Qpc;
import dev.bluebell.hca.command.View;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.queue.VendorSyndrome;

/**
 * The receiver of an unreliable connection: executes SENDs and RDMA WRITEs that come whole and in
 * PSN order, and drops every other message in silence. The receive WQE of a message that was
 * dropped half-way serves the next one. Pure logic. Owned by whoever runs the engine.
 */
public final class ConnectedReceiver implements UnreliableReceiver {
  private final QueuePair queuePair;
  private final Refusal refusal = new Refusal();
  private final Delivery delivery;
  private final Drops drops;

  private int expected;
  private boolean established;

  // What is left of a message that was dropped belongs to nothing.
  private boolean skipping;

  ConnectedReceiver(QueuePair queuePair) {
    this.queuePair = queuePair;
    drops = queuePair.drops();
    delivery = new Delivery(queuePair, refusal);
  }

  @Override
  public int expectedPsn() {
    return expected;
  }

  @Override
  public void reset() {
    delivery.reset();
    established = false;
    skipping = false;
  }

  @Override
  public void start(View qpc) {
    expected = qpc.getInt(Qpc.NEXT_RCV_PSN);
  }

  @Override
  public void configure(View qpc) {
    delivery.configure(qpc);
  }

  @Override
  public void receive(Request request) {
    String stranger = Peer.whyNot(queuePair, request);
    if (!stranger.isEmpty()) {
      // Its PSN says nothing about this connection.
      if (drops.add(request.psn)) {
        drops.explain(stranger);
      }
      return;
    }
    if (queuePair.state() == QpState.RTR && !established) {
      established = true;
      queuePair.raise(HcaEvent.COMMUNICATION_ESTABLISHED);
    }
    if (request.psn != expected) {
      missed(request);
    }
    expected = Psn.add(request.psn, request.packets);
    if (request.first) {
      start(request);
    }
    if (!skipping) {
      execute(request);
    }
  }

  /** Resumes behind a gap in the PSNs: at this request when it starts a message. */
  private void missed(Request request) {
    if (!skipping && (delivery.isInMessage() || !request.first) && drops.add(request.psn)) {
      drops.explain(
          "its PSN %d came where PSN %d of the same message was expected"
              .formatted(request.psn, expected));
    }
    delivery.abandon();
    skipping = true;
  }

  private void start(Request request) {
    skipping = false;
    if (delivery.isInMessage()) {
      delivery.abandon();
      if (drops.add(request.psn)) {
        drops.explain("PSN %d starts another message before its end".formatted(request.psn));
      }
    }
  }

  private void execute(Request request) {
    boolean done =
        switch (request.opcode) {
          case WqeOpcode.SEND, WqeOpcode.SEND_IMM -> delivery.send(request);
          case WqeOpcode.RDMA_WRITE, WqeOpcode.RDMA_WRITE_IMM -> delivery.write(request);
          default ->
              refusal.refuse(
                  Nak.INVALID_REQUEST,
                  0,
                  "opcode %s is none of an unreliable connection"
                      .formatted(WqeOpcode.name(request.opcode)));
        };
    if (!done && refusal.code() != 0) {
      refused(request);
    }
  }

  // What is wrong with the request is the sender's, who does not hear of it; what is wrong with the
  // receive WQE is told to who posted it.
  private void refused(Request request) {
    int syndrome = refusal.syndrome();
    if (syndrome == Syndrome.LOCAL_LENGTH_ERR || syndrome == Syndrome.LOCAL_PROT_ERR) {
      queuePair.drops().add(request.psn);
      String sentence =
          "QP 0x%x failed at the message with PSN %d: %s"
              .formatted(queuePair.number(), request.psn, refusal.explanation());
      delivery.failHeld(syndrome, VendorSyndrome.UNKNOWN, sentence);
      queuePair.fail(sentence);
    } else if (drops.add(request.psn)) {
      drops.explain(
          refusal.code() == Nak.RECEIVER_NOT_READY ? delivery.starvation() : refusal.explanation());
    }
    refusal.clear();
    delivery.abandon();
    skipping = true;
  }

  @Override
  public void flushHeld(String cause) {
    delivery.flushHeld(cause);
  }
}
