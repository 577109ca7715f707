package dev.bluebell.softnic.transport;

import dev.bluebell.hca.command.View;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.softnic.diagnosis.Happening;
import dev.bluebell.softnic.queue.VendorSyndrome;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The receiver of datagrams: puts each, behind its network header, into a receive WQE. Those that
 * it can't take are dropped in silence, but one that does not fit the receive WQE fails it. Pure
 * logic. Owned by whoever runs the engine.
 */
public final class DatagramReceiver implements UnreliableReceiver {
  /** The only partition key of the port. */
  private static final int DEFAULT_PKEY = 0xffff;

  private final QueuePair queuePair;
  private final Refusal refusal = new Refusal();
  private final Delivery delivery;
  private final Drops drops;
  private final MemorySegment headerMemory = Arena.ofAuto().allocate(NetworkHeader.BYTES, 8);

  // The datagram with its header in front, as it goes into the receive.
  private final Request whole = new Request();

  DatagramReceiver(QueuePair queuePair) {
    this.queuePair = queuePair;
    drops = queuePair.drops();
    delivery = new Delivery(queuePair, refusal);
    whole.first = true;
    whole.last = true;
  }

  @Override
  public int expectedPsn() {
    return 0;
  }

  @Override
  public void reset() {
    delivery.reset();
  }

  @Override
  public void start(View qpc) {}

  @Override
  public void configure(View qpc) {}

  @Override
  public void receive(Request request) {
    if (!queuePair.takesRequests() || request.qkey != queuePair.qkey()) {
      if (drops.add(request.psn)) {
        drops.explain(whyNot(request));
      }
      return;
    }
    int l3Type = NetworkHeader.write(headerMemory.address(), request);
    whole.opcode = request.opcode;
    whole.immediate = request.immediate;
    whole.solicited = request.solicited;
    whole.payload.clear();
    whole.payload.add(headerMemory.address(), NetworkHeader.BYTES);
    whole.payload.addAll(request.payload);
    whole.payloadBytes = NetworkHeader.BYTES + request.payloadBytes;
    delivery.comesFrom(Cqe.datagramFlags(l3Type, request.sourceQpn), DEFAULT_PKEY);
    if (!delivery.send(whole) && refusal.code() != 0) {
      refused(request);
    }
  }

  private String whyNot(Request request) {
    if (!queuePair.takesRequests()) {
      return "QP 0x%x is in %s and takes no datagrams"
          .formatted(queuePair.number(), Happening.stateName(queuePair.state()));
    }
    return "the qkey of QP 0x%x is 0x%08x, but the datagram from QP 0x%x has 0x%08x"
        .formatted(queuePair.number(), queuePair.qkey(), request.sourceQpn, request.qkey);
  }

  private void refused(Request request) {
    if (delivery.holdsReceive()) {
      drops.add(request.psn);
      String sentence =
          "QP 0x%x failed at a datagram from QP 0x%x, whose first %d bytes are its network header: %s"
              .formatted(
                  queuePair.number(),
                  request.sourceQpn,
                  NetworkHeader.BYTES,
                  refusal.explanation());
      delivery.failHeld(refusal.syndrome(), VendorSyndrome.UNKNOWN, sentence);
      queuePair.fail(sentence);
    } else if (drops.add(request.psn)) {
      drops.explain(
          refusal.code() == Nak.RECEIVER_NOT_READY ? delivery.starvation() : refusal.explanation());
    }
    refusal.clear();
    delivery.abandon();
  }

  @Override
  public void flushHeld(String cause) {
    delivery.flushHeld(cause);
  }
}
