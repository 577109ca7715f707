package dev.bluebell.softnic.transport.unreliable;

import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.roce.packet.Psn;
import dev.bluebell.softnic.diagnosis.Counters;
import dev.bluebell.softnic.engine.Effort;
import dev.bluebell.softnic.fabric.Route;
import dev.bluebell.softnic.packet.Opcodes;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.SendWqe;
import dev.bluebell.softnic.queue.WqeDecoder;
import dev.bluebell.softnic.transport.connection.Connection;
import dev.bluebell.softnic.transport.connection.Drops;
import dev.bluebell.softnic.transport.connection.End;
import dev.bluebell.softnic.transport.connection.Lifecycle;
import dev.bluebell.softnic.transport.operation.Gather;
import dev.bluebell.softnic.transport.operation.KeyChanges;
import dev.bluebell.softnic.transport.operation.Progress;

/** Sends the messages of an unreliable connection, in pieces and in PSN order. */
public final class UcSender implements UnreliableSender {
  private static final int SERVICE = Opcodes.service(ServiceType.UC);
  private static final WqeDecoder DECODER =
      new WqeDecoder(
          ServiceType.UC,
          WqeOpcode.NOP,
          WqeOpcode.SEND,
          WqeOpcode.SEND_IMM,
          WqeOpcode.RDMA_WRITE,
          WqeOpcode.RDMA_WRITE_IMM,
          WqeOpcode.UMR,
          WqeOpcode.WAIT,
          WqeOpcode.SEND_EN,
          WqeOpcode.RECV_EN);

  private final Lifecycle life;
  private final Connection connection;
  private final Gather gather;
  private final Drops drops;
  private final Counters counters;
  private final Effort effort;
  private final KeyChanges keyChanges;
  private final Packet packet = new Packet();

  private int psn;
  private int logMtu;
  private long longest;
  private long sent;

  // As in RcSender.
  private boolean heavy;

  /**
   * @param fault set when it can't send
   */
  public UcSender(End end, Fault fault, Drops drops) {
    Chip chip = end.chip();
    life = end.life();
    connection = end.connection();
    this.drops = drops;
    counters = chip.counters();
    effort = chip.scheduler().effort();
    gather = new Gather(chip, end.self(), fault);
    keyChanges = new KeyChanges(chip, end.self(), fault);
  }

  @Override
  public String peer() {
    return connection.toString();
  }

  @Override
  public void reset() {
    sent = 0;
  }

  @Override
  public void start(View qpc) {
    psn = qpc.getInt(Qpc.NEXT_SEND_PSN);
  }

  @Override
  public void configure(View qpc) {
    logMtu = connection.logMtu();
    longest = 1L << qpc.getInt(Qpc.LOG_MSG_MAX);
    connection.address(packet);
  }

  @Override
  public int nextPsn() {
    return psn;
  }

  @Override
  public WqeDecoder decoder() {
    return DECODER;
  }

  @Override
  public long longest() {
    return longest;
  }

  @Override
  public long send(SendWqe wqe, long budget) {
    if (wqe.opcode() == WqeOpcode.UMR) {
      return keyChanges.execute(wqe) ? 0 : Progress.REFUSED;
    }
    int total = wqe.bytes();
    packet.wqeIndex = wqe.index();
    Gather.describe(wqe, packet);
    long moved = 0;
    long most = budget + effort.spent();
    do {
      long spent = effort.spent();
      long left = heavy ? 0 : most - moved - spent;
      int piece = (int) Math.min(total - sent, connection.burst(left));
      if (!gather.collect(wqe, sent, piece, packet)) {
        sent = 0;
        return Progress.REFUSED;
      }
      boolean last = sent + piece == total;
      packet.opcode = SERVICE | Opcodes.part(wqe.opcode(), sent == 0, last);
      boolean delivered = deliver(piece);
      heavy = Effort.isHeavy(effort.spent() - spent, heavy);
      if (!delivered) {
        return moved == 0 ? Progress.WAIT : moved;
      }
      sent = last ? 0 : sent + piece;
      moved += piece;
    } while (sent != 0 && moved + effort.spent() < most && life.isReadyToSend());
    return moved;
  }

  private boolean deliver(int piece) {
    Route route = connection.route();
    packet.psn = psn;
    packet.packets = Psn.packets(piece, logMtu);
    if (route == null) {
      noteDrop(connection.whyUnreachable());
    } else if (!route.send(packet)) {
      return false;
    } else {
      counters.sent(packet.packets, piece);
    }
    psn = Psn.add(psn, packet.packets);
    return true;
  }

  @Override
  public boolean isDone() {
    return sent == 0;
  }

  @Override
  public void noteDrop(String why) {
    drops.drop(psn, why);
  }
}
