package dev.bluebell.softnic.transport.unreliable;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.AddressVector;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.roce.packet.Psn;
import dev.bluebell.softnic.diagnosis.Counters;
import dev.bluebell.softnic.fabric.Path;
import dev.bluebell.softnic.fabric.Route;
import dev.bluebell.softnic.packet.NetworkHeader;
import dev.bluebell.softnic.packet.Opcodes;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.port.Gids;
import dev.bluebell.softnic.port.Multicast;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.SendWqe;
import dev.bluebell.softnic.queue.WqeDecoder;
import dev.bluebell.softnic.transport.connection.Connection;
import dev.bluebell.softnic.transport.connection.Drops;
import dev.bluebell.softnic.transport.connection.End;
import dev.bluebell.softnic.transport.operation.Gather;
import dev.bluebell.softnic.transport.operation.Progress;

/** Sends datagrams, each to the destination in the address vector of its WQE. */
public final class UdSender implements UnreliableSender {
  private static final int SERVICE = Opcodes.service(ServiceType.UD);
  private static final WqeDecoder DECODER =
      new WqeDecoder(
          ServiceType.UD,
          WqeOpcode.NOP,
          WqeOpcode.SEND,
          WqeOpcode.SEND_IMM,
          WqeOpcode.WAIT,
          WqeOpcode.SEND_EN,
          WqeOpcode.RECV_EN);
  private static final WqeDecoder COMPACT = DECODER.withCompactVectors();

  private final Connection connection;
  private final WqeDecoder decoder;
  private final Gather gather;
  private final Fault fault;
  private final Drops drops;
  private final Counters counters;
  private final Packet packet = new Packet();

  private int psn;
  private int qkey;
  private int logMessage;

  /**
   * @param end whose connection points at the destination of the datagram that is sent
   * @param fault set when it can't send
   */
  public UdSender(End end, Fault fault, Drops drops) {
    Chip chip = end.chip();
    connection = end.connection();
    this.fault = fault;
    this.drops = drops;
    decoder = connection.station().takesCompactVectors() ? COMPACT : DECODER;
    counters = chip.counters();
    gather = new Gather(chip, end.self(), fault);
  }

  @Override
  public void start(View qpc) {
    psn = qpc.getInt(Qpc.NEXT_SEND_PSN);
  }

  @Override
  public void configure(View qpc) {
    qkey = qpc.getInt(Qpc.Q_KEY);
    logMessage = qpc.getInt(Qpc.LOG_MSG_MAX);
  }

  @Override
  public int nextPsn() {
    return psn;
  }

  @Override
  public WqeDecoder decoder() {
    return decoder;
  }

  @Override
  public long longest() {
    return 1L << connection.logMtu();
  }

  /** Most bytes of a datagram of this queue pair. */
  long most() {
    return Math.min(longest(), 1L << logMessage);
  }

  /** The datagram that {@link #aim} addressed. */
  Packet packet() {
    return packet;
  }

  /** Records datagrams that cut through. */
  void passed(int datagrams) {
    psn = Psn.add(psn, datagrams);
  }

  @Override
  public long send(SendWqe wqe, long budget) {
    packet.wqeIndex = wqe.index();
    int bytes = wqe.bytes();
    if (bytes > 1L << logMessage) {
      fault.set(
          Syndrome.LOCAL_LENGTH_ERR,
          "a datagram of %d bytes is longer than log_msg_max %d of the queue pair allows"
              .formatted(bytes, logMessage));
      return Progress.REFUSED;
    }
    if (!address(wqe.addressVector()) || !gather.collect(wqe, 0, bytes, packet)) {
      return Progress.REFUSED;
    }
    packet.opcode = SERVICE | Opcodes.part(wqe.opcode(), true, true);
    packet.immediate = wqe.immediate();
    packet.solicited = wqe.isSolicited();
    packet.psn = psn;
    Route route = connection.route();
    if (route == null) {
      psn = Psn.add(psn, 1);
      noteDrop(connection.whyUnreachable());
    } else if (!NetworkHeader.holds(packet)) {
      psn = Psn.add(psn, 1);
      noteDrop(whyNoHeader());
    } else if (!route.send(packet)) {
      return Progress.WAIT;
    } else {
      counters.sent(1, bytes);
      psn = Psn.add(psn, 1);
      return (long) bytes * copies();
    }
    return bytes;
  }

  private String whyNoHeader() {
    return "the source GID (src_addr_index of its address vector) and the destination GID %s are not both IPv4 or both IPv6"
        .formatted(Gids.text(new Gid(packet.destinationGidHigh, packet.destinationGidLow)));
  }

  /** Most deliveries of the datagram. */
  private int copies() {
    return packet.destinationQpn == Multicast.QPN ? Multicast.MOST_MEMBERS : 1;
  }

  /** Sets the destination from the address vector; false with the fault set when it can't. */
  private boolean address(long at) {
    if (!aim(at)) {
      fault.set(Syndrome.LOCAL_QP_OP_ERR, connection.station().whyNoPath(at));
      return false;
    }
    return true;
  }

  /**
   * Addresses the datagram from an address vector in the device's own memory; false when that names
   * no path.
   */
  boolean aim(long at) {
    Path path = connection.pathOf(at);
    if (path == null) {
      return false;
    }
    // Datagrams come in trains to one destination.
    connection.connect(
        path, AddressVector.qpn(Memory.getLong(at + AddressVector.DESTINATION_WORD)));
    connection.address(packet);
    int wanted = AddressVector.qkey(Memory.getLong(at + AddressVector.KEY_WORD));
    packet.qkey = (wanted & AddressVector.OWN_QKEY) == 0 ? wanted : qkey;
    if (packet.global) {
      long route = Memory.getLong(at + AddressVector.ROUTE_WORD);
      packet.trafficClass = AddressVector.trafficClass(route);
      packet.hopLimit = AddressVector.hopLimit(route);
      packet.flowLabel = AddressVector.flowLabel(route);
    }
    return true;
  }

  @Override
  public void noteDrop(String why) {
    drops.drop(psn, why);
  }
}
