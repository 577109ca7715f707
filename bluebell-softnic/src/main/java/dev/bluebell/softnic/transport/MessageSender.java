package dev.bluebell.softnic.transport;

import dev.bluebell.hca.command.Qpc;
import dev.bluebell.hca.command.View;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.RemoteAddressSegment;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.WqeForm;

/** Sends the messages of an unreliable connection, in pieces and in PSN order. */
final class MessageSender implements UnreliableSender {
  private final QueuePair queuePair;
  private final Link link;
  private final Gather gather;
  private final Request request = new Request();

  private int psn;
  private int logMtu;
  private int burst;
  private long sent;

  MessageSender(QueuePair queuePair, Fault fault) {
    this.queuePair = queuePair;
    link = queuePair.link();
    gather = new Gather(queuePair, fault);
    request.service = ServiceType.UC;
  }

  @Override
  public void reset() {
    sent = 0;
  }

  @Override
  public void start(View qpc) {
    psn = qpc.getInt(Qpc.NEXT_SEND_PSN);
    logMtu = queuePair.logMtu();
    burst = link.burstBytes(logMtu);
    request.sourceQpn = queuePair.number();
    request.sourceGidHigh = queuePair.localGid().high();
    request.sourceGidLow = queuePair.localGid().low();
    request.destinationQpn = queuePair.remoteQpn();
  }

  @Override
  public int nextPsn() {
    return psn;
  }

  @Override
  public long messageLength(long at, long first, int control, Fault fault) {
    return WqeForm.unreliableLength(at, first, control, fault);
  }

  @Override
  public long send(long at, long end, int bytes, long budget) {
    int opcode = ControlSegment.opcode(Memory.getLong(at));
    long second = Memory.getLong(at + 8);
    long list = at + WqeForm.fixedBytes(opcode);
    request.opcode = opcode;
    request.immediate = ControlSegment.immediate(second);
    request.solicited = (ControlSegment.fmCeSe(second) & ControlSegment.SOLICITED) != 0;
    request.length = bytes;
    if (WqeForm.fixedBytes(opcode) != ControlSegment.BYTES) {
      request.address = Memory.getLong(at + 16);
      request.rkey = RemoteAddressSegment.rkey(Memory.getLong(at + 24));
    }
    long moved = 0;
    do {
      int piece = (int) Math.min(bytes - sent, burst);
      if (!gather.collect(list, end, sent, piece, request)) {
        sent = 0;
        return REFUSED;
      }
      request.first = sent == 0;
      request.last = sent + piece == bytes;
      sent = request.last ? 0 : sent + piece;
      moved += piece;
      deliver(piece);
    } while (!request.last && moved < budget && queuePair.state() == QpState.RTS);
    return moved;
  }

  private void deliver(int piece) {
    request.psn = psn;
    request.packets = Psn.packets(piece, logMtu);
    psn = Psn.add(psn, request.packets);
    if (queuePair.isReachable()) {
      link.sendUnreliable(request);
    } else {
      queuePair.sends().noteDrop(queuePair.whyUnreachable());
    }
  }

  @Override
  public boolean isDone() {
    return sent == 0;
  }
}
