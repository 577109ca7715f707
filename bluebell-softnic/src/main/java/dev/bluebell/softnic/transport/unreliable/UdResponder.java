package dev.bluebell.softnic.transport.unreliable;

import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.structure.View;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.packet.NetworkHeader;
import dev.bluebell.softnic.packet.Opcodes;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.transport.connection.Drops;
import dev.bluebell.softnic.transport.connection.End;
import dev.bluebell.softnic.transport.connection.Lifecycle;
import dev.bluebell.softnic.transport.connection.ReceiveSource;
import dev.bluebell.softnic.transport.receive.Deliveries;
import dev.bluebell.softnic.transport.receive.HeldReceive;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The responder of datagrams: delivers each, behind its network header, to a receive WQE. It
 * silently drops datagrams that it can't accept, but one that does not fit the receive WQE fails
 * the queue pair. Pure logic. Owned by the thread that runs the engine.
 */
public final class UdResponder extends UnreliableResponder {
  private final boolean strict;
  private final MemorySegment headerMemory = Arena.ofAuto().allocate(NetworkHeader.BYTES, 8);

  // The datagram with its header in front, as the receive WQE gets it.
  private final Packet whole = new Packet();

  private int qkey;

  /**
   * @param source the receive queue of datagrams
   */
  public UdResponder(End end, ReceiveSource source, Drops drops) {
    super(end, source, drops);
    strict = end.chip().machine().strict();
  }

  @Override
  public void configure(View qpc) {
    qkey = qpc.getInt(Qpc.Q_KEY);
  }

  /**
   * Datagrams that can't be accepted are dropped, counted and explained here; the sender gets no
   * report.
   */
  @Override
  public String receive(Packet datagram) {
    if (!isAcceptable(datagram)) {
      countViolation(datagram);
      if (drops.add(datagram.psn)) {
        drops.explain(whyNot(datagram));
      }
      return "";
    }
    long sender = connection.station().header(headerMemory.address(), datagram, strict);
    if (sends.deliver(withHeader(datagram), source, sender, datagram.partitionKey)) {
      Deliveries.note(recorder, number, datagram);
    } else if (refusal.code() != 0) {
      refused(datagram);
    }
    return "";
  }

  /** The datagram behind its network header, or behind room for one, which is left unchanged. */
  private Packet withHeader(Packet datagram) {
    if (!datagram.global) {
      sends.leaveRoom(NetworkHeader.BYTES);
      return datagram;
    }
    sends.leaveRoom(0);
    whole.opcode = datagram.opcode;
    whole.immediate = datagram.immediate;
    whole.solicited = datagram.solicited;
    whole.payload.clear();
    whole.payload.add(headerMemory.address(), NetworkHeader.BYTES);
    whole.payload.addAll(datagram.payload);
    whole.payloadBytes = NetworkHeader.BYTES + datagram.payloadBytes;
    return whole;
  }

  private boolean isAcceptable(Packet datagram) {
    int opcode = datagram.opcode;
    return life.takesRequests()
        && connection.isOfPartition(datagram)
        && datagram.qkey == qkey
        && datagram.packets == 1
        && datagram.payloadBytes <= 1 << connection.logMtu()
        && BthOpcode.isSend(opcode)
        && BthOpcode.isFirst(opcode)
        && BthOpcode.isLast(opcode)
        && !BthOpcode.hasInvalidate(opcode);
  }

  private void countViolation(Packet datagram) {
    if (!life.takesRequests()) {
      return;
    }
    if (!connection.isOfPartition(datagram)) {
      counters.partitionKeyViolation();
    } else if (datagram.qkey != qkey) {
      counters.queueKeyViolation();
    }
  }

  private String whyNot(Packet datagram) {
    if (!life.takesRequests()) {
      return "QP 0x%x is in %s and takes no datagrams"
          .formatted(number, QpState.name(life.state()));
    }
    if (!connection.isOfPartition(datagram)) {
      return connection.whyOtherPartition(datagram);
    }
    if (datagram.qkey != qkey) {
      return "the qkey of QP 0x%x is 0x%08x, but the datagram from QP 0x%x has 0x%08x"
          .formatted(number, qkey, datagram.sourceQpn, datagram.qkey);
    }
    return datagram.packets != 1 || datagram.payloadBytes > 1 << connection.logMtu()
        ? refusals.misfit(datagram, connection.logMtu())
        : "opcode %s is not valid for a datagram".formatted(Opcodes.name(datagram.opcode));
  }

  private void refused(Packet datagram) {
    if (held.isHeld()) {
      fail(
          datagram,
          "QP 0x%x failed at a datagram from QP 0x%x, to which the network header adds %d bytes at the front: %s"
              .formatted(number, datagram.sourceQpn, NetworkHeader.BYTES, refusal.explanation()));
    } else {
      drop(datagram);
    }
    refusal.clear();
    message.abandon();
  }

  // ---- datagrams that cut through

  /** True when it accepts datagrams with the addresses and keys of a given one. */
  boolean takes(Packet datagram) {
    return life.takesRequests()
        && connection.isOfPartition(datagram)
        && datagram.qkey == qkey
        && !message.isArriving()
        && !recorder.isTracing(number);
  }

  /** Most bytes of a datagram to this queue pair. */
  long most() {
    return 1L << connection.logMtu();
  }

  /** True when datagrams complete in this queue. */
  boolean completesIn(CompletionQueue queue) {
    return source.completions().equals(queue);
  }

  /** Number of available receive WQEs, with room for their completions. */
  int receivable() {
    return held.receivable(source);
  }

  /** Target address of so many bytes, see {@link HeldReceive#landing}. */
  long landing(int bytes) {
    return held.landing(source, bytes);
  }

  /** Writes the network header of a datagram, and returns its origin for the completion. */
  long header(long at, Packet datagram) {
    return connection.station().header(at, datagram, strict);
  }

  /** Takes and completes the next WQE, which {@link #receivable} has ensured. */
  void pass(int opcode, long sender, int bytes, int immediate, boolean solicited) {
    held.pass(source, opcode, sender, bytes, immediate, solicited);
  }

  /** See {@link Lifecycle#examine}. */
  void examine() {
    life.examine();
  }
}
